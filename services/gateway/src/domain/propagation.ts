// When the services have settled after a sandbox's clock moved (reliability 3.1; ADR 0009).

/** How one service stands after a round: what it handled, how many facts it told of late, and whether some are under way. */
export type ServiceStands = { handled: number; facts: number; behind: boolean };

/**
 * Whether nothing is left to happen in a sandbox, by two rounds in succession, each over the same services in the same
 * order. One quiet round is not enough: a replica that was not asked may handle something, and tell it to a service that
 * was asked before. That shows as a fact more in the next round. If no service told anything from one round to the next,
 * and in the second each had taken in all there was and had nothing due, then nobody is left to begin.
 */
export const isSettled = (before: readonly ServiceStands[], after: readonly ServiceStands[]): boolean =>
  before.length === after.length &&
  after.every(({ handled, facts, behind }, at) => handled === 0 && !behind && facts === before[at]?.facts);
