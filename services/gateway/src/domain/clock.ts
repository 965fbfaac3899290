import type { ClockJump, DueFact } from '@cds/contracts';
import { DAY_MS } from './constants.js';

/** Where a sandbox's clock moves to (docs/domain/access.md#sandbox). Instants are UTC; the clock only moves forward. */

const nextMidnight = (now: Date): Date =>
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
    case 'proposal_expiry':
    case 'reading':
    case 'unpaid_end':
      return earliest(pending.filter((fact) => fact.kind === to));
  }
};

/** The offset in milliseconds at which business time is `target`; never below the current one. */
export const offsetFor = (target: Date, networkNow: Date, offsetMs: number): number =>
  Math.max(offsetMs, Math.ceil(target.getTime() - networkNow.getTime()));

/** No post gets a remedy sooner after a fact that leads to it (docs/domain/orders.md#remedies). */
const REMEDY_AFTER_MS = 2 * DAY_MS;

/**
 * The next offset at which a move stops: the earliest remedy, or as far as no unknown remedy can lie, at most the goal.
 * `dueAt` is the earliest fact that is due, `remedyAt` the earliest remedy; all in milliseconds, null for none.
 */
export const nextStop = (of: {
  present: number;
  goal: number;
  dueAt: number | null;
  remedyAt: number | null;
}): number => {
  if (of.dueAt === null) return of.goal;
  const known = Math.max(of.dueAt, of.present) + REMEDY_AFTER_MS;
  const remedy = of.remedyAt === null || of.remedyAt <= of.present ? of.goal : of.remedyAt;
  return Math.min(of.goal, known, remedy);
};

/** The most due facts that a clock lists. */
const LISTED = 50;

/** The earliest due facts across all services, in order. */
export const earliestFacts = (lists: readonly (readonly DueFact[])[]): DueFact[] =>
  lists
    .flat()
    .sort((one, other) => Date.parse(one.due_at) - Date.parse(other.due_at) || (one.kind < other.kind ? -1 : 1))
    .slice(0, LISTED);
