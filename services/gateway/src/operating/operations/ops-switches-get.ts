import type { ReadHandler } from '@cds/service';
import { presentSwitches, type SwitchBoard } from '../store/switches.js';

export const opsSwitchesGet: ReadHandler<'ops_switches_get', { switches: SwitchBoard }> = async (
  _ctx,
  _input,
  { switches },
) => presentSwitches(await switches.stored());
