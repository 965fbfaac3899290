/** One service's answer in a round: events handled, events emitted so far, and whether some are still on their way. */
export type ServiceProgress = { handled: number; facts: number; behind: boolean };

/**
 * Whether nothing is left to happen in a sandbox (docs/reliability.md#clocks; ADR 0009), by two rounds in succession
 * over the same services in the same order. One quiet round is not enough: a replica that was not asked may handle an
 * event and emit one to a service that was asked before. The next round shows that as a higher count. So when no count
 * grew, and in the second round no service handled anything or had anything on its way, nobody is left to start
 * something.
 */
export const hasPropagated = (before: readonly ServiceProgress[], after: readonly ServiceProgress[]): boolean =>
  before.length === after.length &&
  after.every(({ handled, facts, behind }, at) => handled === 0 && !behind && facts === before[at]?.facts);
