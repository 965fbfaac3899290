import { randomUUID } from 'node:crypto';
import { conflict, unprocessable } from '@cds/contracts';
import type { WriteHandler } from '@cds/service';
import { nextState } from '../../accounts/port.js';
import { changeFaults, type FaultDeps } from '../change-faults.js';
import { faultOf } from '../domain/fault.js';

/** Faults that may be armed in one sandbox at once (docs/domain/sandbox.md#faults, assumption). */
const MAX_FAULTS = 100;

/**
 * Arms a fault behind those of the same operation: its next `times` calls in this sandbox get it. Raises unprocessable
 * for values that do not go together, conflict (too_many_faults). Source: docs/domain/sandbox.md#faults.
 */
export const sandboxFaultArm: WriteHandler<'sandbox_fault_arm', FaultDeps> = (ctx, input, deps) =>
  changeFaults(ctx, 'sandbox_fault_arm', deps, async (workspace) => {
    const armed = await deps.faults.armed(workspace._id);

    const wanted = faultOf(input);
    if ('problem' in wanted) throw unprocessable([wanted.problem]);
    if (armed.length >= MAX_FAULTS)
      throw conflict(
        'too_many_faults',
        `This sandbox already has ${MAX_FAULTS} faults armed, the most it can have. Clear them, or make the calls.`,
      );
    const of = { ws: workspace._id, left: input.times ?? 1, seq: nextState(workspace, {}).version, at: ctx.networkNow };
    const row = { _id: randomUUID(), ...wanted.fault, ...of };

    return { armed: [...armed, row], save: (tx) => deps.faults.insert(tx, row) };
  });
