import { type Consumer, consumerOf } from '../inbox/consumer.js';
import type { Clocks } from './clocks.js';
import type { DueFacts } from './due-facts.js';

/** Follows sandbox clocks: catches up on a missed advance, and handles what became due where there are due facts. */
export const clockSet = (clocks: Clocks, due?: Pick<DueFacts, 'applied'>): Consumer =>
  consumerOf({
    event: 'clock.set',
    project: ({ workspace, offset_ms }) => clocks.set(workspace, offset_ms),
    ...(due && {
      applied: (moves: readonly { workspace: string }[]) => due.applied(moves.map(({ workspace }) => workspace)),
    }),
  });
