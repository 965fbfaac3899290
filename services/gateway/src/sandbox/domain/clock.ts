import type { ClockJump, DueFact } from '@cds/contracts';

/** Where a sandbox's clock moves to (docs/domain/sandbox.md#sandbox), in UTC; it only moves forward. */

export const nextMidnight = (now: Date): Date =>
  new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + 1));

const nextMonth = (now: Date): Date => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1));

const earliest = (pending: readonly DueFact[]): Date | null => {
  const times = pending.map((fact) => Date.parse(fact.due_at));
  return times.length === 0 ? null : new Date(Math.min(...times));
};

/** The instant of a named jump, or null when nothing of that kind is due. */
export const jumpTarget = (to: ClockJump, now: Date, pending: readonly DueFact[]): Date | null => {
  switch (to) {
    case 'midnight':
      return nextMidnight(now);
    case 'month':
      return nextMonth(now);
    case 'next':
      return earliest(pending);
    default:
      return earliest(pending.filter((fact) => fact.kind === to));
  }
};

/** The offset in milliseconds at which business time is `target`; never below the current one. */
export const offsetFor = (target: Date, networkNow: Date, offsetMs: number): number =>
  Math.max(offsetMs, Math.ceil(target.getTime() - networkNow.getTime()));

/** No creator who books at some time gets a remedy sooner after it (docs/domain/orders.md#sandbox-creators). */
const REMEDY_AFTER_MS = 3 * 86_400_000;

/**
 * The next offset at which a move stops: the earliest known remedy, or the latest time before which creators who book
 * on the way need none, at most the goal. `offerAt` is the earliest fact of an offer, `remedyAt` the earliest remedy of
 * a post; all in milliseconds, null for none.
 */
export const nextStop = (of: {
  present: number;
  goal: number;
  offerAt: number | null;
  remedyAt: number | null;
}): number => {
  const unknown = of.offerAt === null ? of.goal : Math.max(of.offerAt, of.present) + REMEDY_AFTER_MS;
  const remedy = of.remedyAt === null || of.remedyAt <= of.present ? of.goal : of.remedyAt;
  return Math.min(of.goal, unknown, remedy);
};

const LISTED = 50;

export const earliestFacts = (lists: readonly (readonly DueFact[])[]): DueFact[] =>
  lists
    .flat()
    .sort((one, other) => Date.parse(one.due_at) - Date.parse(other.due_at) || (one.kind < other.kind ? -1 : 1))
    .slice(0, LISTED);
