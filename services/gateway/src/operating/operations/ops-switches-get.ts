import type { ReadHandler } from '@cds/service';
import { presentSwitches, type SwitchBoard } from '../store/switches.js';

/** The operator's switches, as stored now. Source: docs/domain/operators.md#switches. */
export const opsSwitchesGet: ReadHandler<'ops_switches_get', { switches: SwitchBoard }> = async (
  _ctx,
  _input,
  { switches },
) => presentSwitches(await switches.stored());
