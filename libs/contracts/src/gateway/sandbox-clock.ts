import { z } from 'zod';
import type { Kept } from '../brief.js';
import { DUE_FACT_KINDS, DueFact } from '../clock.js';
import { Timestamp } from '../fields.js';
import { closed, integerInput, saying, whenObject } from '../input.js';
import { defineOperations } from '../operation.js';
import { sandboxReads, sandboxWrites } from '../operation-kinds.js';

/** The named targets of a sandbox clock jump (docs/domain/sandbox.md#sandbox): three times, and kinds of due facts. */
export const CLOCK_JUMPS = ['next', 'midnight', 'month', ...DUE_FACT_KINDS] as const;

export type ClockJump = (typeof CLOCK_JUMPS)[number];

/** The maximum of one advance, by seconds or to an instant: 366 days. */
export const ADVANCE_MAX_SECONDS = 31_622_400;

const jumpTarget = () => {
  const error = saying(`must be a later date-time such as 2027-01-03T00:00:00Z, or one of ${CLOCK_JUMPS.join(', ')}`);
  return z.union([z.enum(CLOCK_JUMPS), z.iso.datetime({ offset: true, error })], { error });
};

/** A sandbox's clock: its current time, its offset, and what is due next (docs/domain/sandbox.md#sandbox). */
export const SandboxClock = z
  .object({ now: Timestamp, offset_seconds: z.int().min(0), pending: z.array(DueFact) })
  .meta({ id: 'SandboxClock' });
export type SandboxClock = z.infer<typeof SandboxClock>;

const advance = () =>
  closed({
    seconds: integerInput({ min: 1, max: ADVANCE_MAX_SECONDS })
      .optional()
      .describe('How far, in seconds, at most 366 days. Creators have 48 hours to answer an offer.'),
    to: jumpTarget()
      .optional()
      .describe(
        'Instead of seconds: a date-time at most 366 days ahead, next, midnight, month, or a kind that sandbox_status lists.',
      ),
  }).check(
    z.refine(({ seconds, to }) => (seconds === undefined) !== (to === undefined), {
      path: ['seconds'],
      error: saying('must be sent, or `to`, but not both'),
      when: whenObject,
    }),
  );

export const sandboxClockOperations = defineOperations('gateway', {
  sandbox_clock: {
    ...sandboxReads('any'),
    rest: { method: 'GET', path: '/api/sandbox/clock', root: 'app' },
    tool: {
      rank: 28,
      name: 'sandbox_status',
      title: "The sandbox's clock",
      description:
        "Returns the sandbox's time and the next 50 events that are due in it, such as answers of creators, posts and readings. Any test key.",
      hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
    },
    summary: "Returns the sandbox's clock and what is due next.",
    output: SandboxClock,
  },
  sandbox_clock_advance: {
    ...sandboxWrites('campaigns:write'),
    rest: { method: 'POST', path: '/api/sandbox/clock/advance', root: 'app' },
    tool: {
      rank: 29,
      name: 'sandbox_advance',
      title: "Advance the sandbox's clock",
      description:
        'Moves the sandbox forward in time and answers once everything due has happened: creators answer, post and get readings. Scope campaigns:write.',
      hints: { readOnly: false, destructive: true, idempotent: true, openWorld: false },
      brief: { kept: { now: true } satisfies Kept<SandboxClock> },
    },
    summary: "Moves the sandbox's clock forward, by seconds or to a time.",
    body: advance(),
    output: SandboxClock,
    conflicts: ['nothing_due'],
  },
  sandbox_clock_jump: {
    ...sandboxWrites('campaigns:write'),
    rest: { method: 'POST', path: '/api/sandbox/clock/jump', root: 'app' },
    summary: "Moves the sandbox's clock to a later time or to the next due event of a kind.",
    body: closed({ to: jumpTarget().describe('A later date-time, or the next due event of a kind.') }),
    output: SandboxClock,
    conflicts: ['nothing_due'],
  },
});
