import { z } from 'zod';
import { Uuid } from './fields.js';

/** Every error code (docs/specification.md#errors); `retryable`: the same call may succeed later. */
export const ERROR_CODES = {
  bad_request: { status: 400, retryable: false },
  filter_required: { status: 400, retryable: false },
  unauthorized: { status: 401, retryable: false },
  forbidden: { status: 403, retryable: false },
  not_found: { status: 404, retryable: false },
  method_not_allowed: { status: 405, retryable: false },
  rate_limited: { status: 429, retryable: true },
  unavailable: { status: 503, retryable: true },
  internal: { status: 500, retryable: true },
  mandate_refused: { status: 403, retryable: false },
  conflict: { status: 409, retryable: false },
  unprocessable: { status: 422, retryable: false },
  idempotency_conflict: { status: 409, retryable: false },
  in_progress: { status: 409, retryable: true },
} as const satisfies Record<string, { status: number; retryable: boolean }>;

export type ErrorCode = keyof typeof ERROR_CODES;

export const ERROR_CODE_NAMES = Object.keys(ERROR_CODES) as [ErrorCode, ...ErrorCode[]];

export const retryable = (code: ErrorCode): boolean => ERROR_CODES[code].retryable;

export const Problem = z.object({
  field: z.string().meta({ disclosure: 'public' }),
  message: z.string().meta({ disclosure: 'public' }),
});
export type Problem = z.infer<typeof Problem>;

export const MANDATE_REASONS = [
  'no_mandate',
  'mandate_expired',
  'channel_not_allowed',
  'approval_not_allowed',
  'terms_not_accepted',
  'over_max_plan_total',
  'over_monthly_cap',
  'over_budget',
] as const;
export type MandateReason = (typeof MANDATE_REASONS)[number];

/** Every reason of a 409, the specification's first (docs/specification.md#details-by-code, docs/domain/plans.md). */
export const CONFLICT_REASONS = [
  'over_budget',
  'already_in_plan',
  'bad_dates',
  'same_day',
  'plan_signed',
  'archived',
  'already_priced',
  'last_creator',
  'plan_full',
  'has_plan',
  'not_draft',
  'category_banned',
  'category_review',
  'lines_blocked',
  'terms_changed',
  'nothing_due',
  'no_open_proposal',
  'bad_state',
  'order_paid',
  'order_processing',
  'terms_superseded',
  'approval_not_allowed',
  'version_exists',
  'too_many_keys',
  'too_many_sandboxes',
  'sandbox_full',
  'too_many_faults',
  'too_many_webhooks',
  'name_taken',
  'secret_gone',
  'not_newest',
  'last_owner',
  'already_member',
  'nobody_found',
  'closed',
  'replaced',
  'already_answered',
  'not_accepted',
  'not_booked',
  'date_booked',
] as const;
export type ConflictReason = (typeof CONFLICT_REASONS)[number];

/** Every reason of a 429 (docs/guides/limits.md, docs/domain/requests.md#every-request). */
export const LIMIT_REASONS = [
  'request_rate',
  'daily_writes',
  'daily_campaign_limit',
  'per_minute',
  'daily_lists',
  'daily_reveals',
  'daily_seen',
  'locked',
  'daily_limit',
  'child_key_limit',
  'daily_feedback',
  'sign_in_limit',
  'sign_up_limit',
  'application_limit',
  'invitation_limit',
  'guest_rate',
  'guest_quote_limit',
  'stream_limit',
] as const;
export type LimitReason = (typeof LIMIT_REASONS)[number];

/** `message` is our own text, what is wrong and what to do next; it never repeats an upstream text. */
export type ErrorBody = {
  code: ErrorCode;
  message: string;
  details?: Record<string, unknown>;
  /** The signed receipt of a mandate's refusal (docs/domain/orders.md#receipts). */
  receipt_id?: string;
};

/** The Error resource (docs/specification.md#error). */
export const ErrorResource = z
  .object({
    error: z.object({
      code: z.enum(ERROR_CODE_NAMES),
      message: z.string().meta({ disclosure: 'public' }),
      details: z.record(z.string(), z.unknown()).optional(),
      receipt_id: Uuid.optional().meta({ description: "The signed receipt of a mandate's refusal." }),
    }),
  })
  .meta({ id: 'Error' });

/** A refusal by a rule, as a value: a quote shows it, an operation throws it. */
export type Refusal = {
  code: 'mandate_refused' | 'conflict' | 'unprocessable' | 'not_found';
  reason: string;
  message: string;
  details: Record<string, unknown>;
};

/** An error with a code of the table. Its cause never leaves the process. Anything else that is thrown is a bug. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly details: Record<string, unknown> | undefined;
  /** Only where the specification asks for a status other than the code's own (502 of a price request). */
  readonly status: number | undefined;
  readonly receiptId: string | undefined;

  static {
    // Not enumerable, as in native errors: the driver copies enumerable fields to the error of a bulk write, whose own
    // name is read-only.
    Object.defineProperty(AppError.prototype, 'name', { value: 'AppError', writable: true, configurable: true });
  }

  constructor(
    code: ErrorCode,
    message: string,
    details?: Record<string, unknown>,
    options?: { cause?: unknown; status?: number; receiptId?: string },
  ) {
    super(message, options?.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.details = details;
    this.status = options?.status;
    this.receiptId = options?.receiptId;
  }

  body(): ErrorBody {
    const { code, message, details, receiptId } = this;
    return {
      code,
      message,
      ...(details === undefined ? {} : { details }),
      ...(receiptId === undefined ? {} : { receipt_id: receiptId }),
    };
  }
}

export const refused = (refusal: Refusal): AppError =>
  new AppError(
    refusal.code,
    refusal.message,
    refusal.code === 'unprocessable' || refusal.code === 'not_found'
      ? refusal.details
      : { reason: refusal.reason, ...refusal.details },
  );

const SHOWN_BY: Readonly<Record<string, string>> = {
  campaign: 'The list of campaigns shows their ids.',
  plan: 'A campaign shows the id of its plan, and the list of campaigns their ids.',
  line: 'The quote of a plan and its campaign show the ids of its lines.',
  creator: 'The list of creators shows their ids.',
  unit: 'A creator and the list of creators show the unit_id of each format.',
  order: 'The answer of a signing has the id of its order.',
};

/** The 404 of an operation, the same for another workspace's id and an id that does not exist. */
export const notFound = (what: string): AppError =>
  new AppError('not_found', `No ${what} with that id was found. ${SHOWN_BY[what] ?? 'Check the id, or list again.'}`);

/** A dependency is unavailable; the same call may succeed later. `retryAfter` is in whole seconds. */
export const unavailable = (message: string, retryAfter = 1, cause?: unknown): AppError =>
  new AppError('unavailable', message, { retry_after: retryAfter }, { cause });

export const conflict = (reason: ConflictReason, message: string, details: Record<string, unknown> = {}): AppError =>
  new AppError('conflict', message, { reason, ...details });
