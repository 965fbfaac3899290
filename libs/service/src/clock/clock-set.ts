import { type Consumer, consumerOf } from '../inbox/consumer.js';
import type { Clocks } from './clocks.js';
import type { DueFacts } from './due-facts.js';

/**
 * Follows sandbox clocks: catches up on an advance that the service missed, and handles what became due in a service
 * with due facts. The others leave that to their sweeps.
 */
export const clockSet = (clocks: Clocks, due?: Pick<DueFacts, 'applied'>): Consumer =>
  consumerOf({
    event: 'clock.set',
    project: ({ workspace, offset_ms }) => clocks.set(workspace, offset_ms),
    ...(due && {
      applied: (moves: readonly { workspace: string }[]) => due.applied(moves.map(({ workspace }) => workspace)),
    }),
  });
