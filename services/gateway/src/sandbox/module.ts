import type { Ctx, Shell } from '@cds/service';
import type { Accounts } from '../accounts/port.js';
import type { Edge } from '../edge/port.js';
import type { Events } from '../events/port.js';
import { faultError } from './domain/fault.js';
import { awaitPropagation } from './move-clock.js';
import { ClockMoves } from './store/clock-moves.js';
import { Faults } from './store/faults.js';
import { Resets } from './store/resets.js';

export { unfinishedResets } from './unfinished-resets.js';

export const sandboxOf = (
  shell: Shell<'gateway'>,
  { workspaces, keys, keyChanges }: Accounts,
  { feed, hooks }: Events,
) => {
  const { store, calls } = shell;
  const faults = new Faults(store);
  const takeFault: Edge['takeFault'] = async (workspace, operation, now) => {
    const fault = await faults.take(workspace, operation);
    return fault === null ? null : { delayMs: fault.delay_ms, error: faultError(fault, now) };
  };
  return {
    faults,
    takeFault,
    awaitPropagation: (ctx: Ctx) => awaitPropagation(ctx, calls),
    due: calls,
    move: { shell, workspaces, keys, keyChanges, moves: new ClockMoves(store), clocks: calls, due: calls },
    reset: {
      shell,
      workspaces,
      keyChanges,
      faults,
      feed,
      hooks,
      resets: new Resets(store),
      services: calls,
      clocks: calls,
    },
  };
};
