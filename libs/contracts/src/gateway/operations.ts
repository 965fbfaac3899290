import { z } from 'zod';
import { booleanInput, closed, codePoints, integerInput, oneOf, patternInput, saying, uuidInput } from '../input.js';
import { defineOperation } from '../operation.js';
import { DevBrand, FeedbackReceived, SandboxClock } from './resources.js';

export const FEEDBACK_KINDS = ['bug', 'idea', 'question', 'praise'] as const;
export type FeedbackKind = (typeof FEEDBACK_KINDS)[number];

/** Where a sandbox clock can jump by name (domain 4-doors 7). */
export const CLOCK_JUMPS = ['next', 'proposal_expiry', 'reading', 'unpaid_end', 'month', 'midnight'] as const;
export type ClockJump = (typeof CLOCK_JUMPS)[number];

/** The grammar of x-request-id and of Idempotency-Key (spec, "General rules" and "Limits"). */
export const TOKEN_PATTERN = /^[A-Za-z0-9._:-]{8,128}$/;

/** 366 days: the furthest one advance goes. */
const ADVANCE_MAX_SECONDS = 31_622_400;

const jumpTarget = () => {
  const error = saying(`must be a later date-time, or one of ${CLOCK_JUMPS.join(', ')}`);
  return z.union([z.enum(CLOCK_JUMPS), z.iso.datetime({ offset: true, error })], { error });
};

export const gatewayOperations = {
  feedback_send: defineOperation({
    name: 'feedback_send',
    service: 'gateway',
    audience: 'brand',
    rest: { method: 'POST', path: '/feedback', root: 'v1' },
    scope: 'any',
    effect: 'write',
    idempotency: 'optional',
    tool: {
      rank: 20,
      title: 'Send feedback',
      description:
        "Sends a message to the service's team, who read it; nothing else happens. Any valid key; costs one request of the minute.",
      hints: { readOnly: false, destructive: false, idempotent: false, openWorld: true },
    },
    summary: "Sends feedback to the service's team.",
    body: closed({
      message: codePoints({ max: 4_000 }),
      kind: oneOf(FEEDBACK_KINDS).optional(),
      campaign_id: uuidInput().optional().describe('The campaign it is about.'),
      request_id: patternInput(
        TOKEN_PATTERN,
        'must be an x-request-id: 8 to 128 characters from letters, digits and . _ : -',
      )
        .optional()
        .describe('The x-request-id of the call it is about.'),
    }),
    output: FeedbackReceived,
    success: 201,
  }),
  sandbox_clock: defineOperation({
    name: 'sandbox_clock',
    service: 'gateway',
    audience: 'sandbox',
    rest: { method: 'GET', path: '/api/sandbox/clock', root: 'app' },
    scope: 'any',
    effect: 'read',
    summary: "A sandbox's clock and what is due next.",
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
    summary: "Moves a sandbox's clock forward.",
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
    summary: "Moves a sandbox's clock to a later instant or to the next due fact of a kind.",
    body: closed({ to: jumpTarget() }),
    output: SandboxClock,
    conflicts: ['nothing_due'],
  }),
  dev_brand_make: defineOperation({
    name: 'dev_brand_make',
    service: 'gateway',
    audience: 'operator',
    rest: { method: 'POST', path: '/api/ops/dev/brands', root: 'app' },
    scope: null,
    effect: 'write',
    idempotency: 'required',
    // The answer holds secrets, which are stored nowhere: a brand is made once by its name.
    ownRecord: true,
    summary: 'Makes an approved brand with a live and a sandbox workspace and seeded keys, in a development start.',
    body: closed({
      name: codePoints({ max: 60 }).optional(),
      audience: codePoints({ min: 0, max: 2_000 }).nullable().optional(),
      sandbox: codePoints({ max: 60 }).nullable().optional(),
      replace_keys: booleanInput().optional(),
    }),
    output: DevBrand,
    success: 201,
  }),
} as const;
