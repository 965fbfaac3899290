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

/**
 * The next offset of a move: the first whole day from its beginning that lies ahead and is not before the earliest due
 * fact, at most the goal; the goal itself when nothing is due. All in milliseconds.
 */
export const nextStop = (of: { from: number; present: number; goal: number; dueAt: number | null }): number => {
  if (of.dueAt === null) return of.goal;
  const ahead = Math.max(of.dueAt, of.present + 1);
  return Math.min(of.goal, of.from + Math.ceil((ahead - of.from) / DAY_MS) * DAY_MS);
};

/** The most due facts that a clock lists. */
const LISTED = 50;

/** The earliest due facts across all services, in order. */
export const earliestFacts = (lists: readonly (readonly DueFact[])[]): DueFact[] =>
  lists
    .flat()
    .sort((one, other) => Date.parse(one.due_at) - Date.parse(other.due_at) || (one.kind < other.kind ? -1 : 1))
    .slice(0, LISTED);
