import { z } from 'zod';
import { DueFact } from '../clock.js';
import { Timestamp } from '../fields.js';
import { closed, integerInput, saying } from '../input.js';
import { defineOperation } from '../operation.js';

/** The named targets of a sandbox clock jump (docs/domain/access.md#sandbox). */
export const CLOCK_JUMPS = ['next', 'proposal_expiry', 'reading', 'unpaid_end', 'month', 'midnight'] as const;

export type ClockJump = (typeof CLOCK_JUMPS)[number];

/** The maximum of one advance: 366 days. */
const ADVANCE_MAX_SECONDS = 31_622_400;

const jumpTarget = () => {
  const error = saying(`must be a later date-time or one of ${CLOCK_JUMPS.join(', ')}`);
  return z.union([z.enum(CLOCK_JUMPS), z.iso.datetime({ offset: true, error })], { error });
};

/** A sandbox's clock: its current time, its offset, and what is due next (docs/domain/access.md#sandbox). */
export const SandboxClock = z
  .object({ now: Timestamp, offset_seconds: z.int().min(0), pending: z.array(DueFact) })
  .meta({ id: 'SandboxClock' });
export type SandboxClock = z.infer<typeof SandboxClock>;

export const sandboxClockOperations = {
  sandbox_clock: defineOperation({
    name: 'sandbox_clock',
    service: 'gateway',
    audience: 'sandbox',
    rest: { method: 'GET', path: '/api/sandbox/clock', root: 'app' },
    scope: 'any',
    effect: 'read',
    summary: "Returns the sandbox's clock and what is due next.",
    output: SandboxClock,
  }),
  sandbox_clock_advance: defineOperation({
    name: 'sandbox_clock_advance',
    service: 'gateway',
    audience: 'sandbox',
    rest: { method: 'POST', path: '/api/sandbox/clock/advance', root: 'app' },
    scope: 'any',
    effect: 'write',
    idempotency: 'required',
    summary: "Moves the sandbox's clock forward.",
    body: closed({ seconds: integerInput({ min: 1, max: ADVANCE_MAX_SECONDS }) }),
    output: SandboxClock,
  }),
  sandbox_clock_jump: defineOperation({
    name: 'sandbox_clock_jump',
    service: 'gateway',
    audience: 'sandbox',
    rest: { method: 'POST', path: '/api/sandbox/clock/jump', root: 'app' },
    scope: 'any',
    effect: 'write',
    idempotency: 'required',
    summary: "Moves the sandbox's clock to a later time or to the next due event of a kind.",
    body: closed({ to: jumpTarget() }),
    output: SandboxClock,
    conflicts: ['nothing_due'],
  }),
} as const;
