import { type ConflictReason, type ErrorCode, type MandateReason, RETRYABLE } from './generated/errors.js';
import type { Operations } from './generated/operations.js';

export type OperationName = keyof Operations;

/** One thing wrong with a request: the field, and what it accepts. */
export type Problem = { field: string; message: string };

export type RateLimitReason =
  | 'request_rate'
  | 'daily_campaign_limit'
  | 'per_minute'
  | 'daily_lists'
  | 'daily_reveals'
  | 'daily_seen'
  | 'locked'
  | 'daily_limit'
  | 'child_key_limit'
  | 'daily_writes'
  | 'daily_feedback'
  | 'stream_limit';

type Amounts = { limit_cents: number; requested_cents: number; over_by_cents: number };

/** What accompanies each reason of a `mandate_refused`. Amounts are US cents. */
export type MandateDetails = {
  no_mandate: { escalate?: boolean };
  mandate_expired: { expired_at: string };
  channel_not_allowed: { channels: string[] };
  approval_not_allowed: { escalate?: boolean };
  terms_not_accepted: { current_version: string; accepted_version: string | null; url: string };
  over_max_plan_total: Amounts;
  over_monthly_cap: Amounts & { spent_cents: number };
  over_budget: Partial<Amounts>;
};

/** What accompanies those reasons of a `conflict` that carry values. */
type ConflictDetails = {
  over_budget: { over_by_cents?: number; remaining_cents?: number };
  lines_blocked: { line_ids: string[] };
  terms_changed: { version: number };
  terms_superseded: { current_version: string };
};

type WithReason<R extends string, D> = { [K in R]: { reason: K } & (K extends keyof D ? D[K] : unknown) }[R];
type Problems = { problems?: Problem[] };

type DetailsByCode = {
  bad_request: Problems;
  filter_required: Problems;
  unprocessable: Problems;
  forbidden: { scope?: string; reason?: string };
  mandate_refused: WithReason<MandateReason, MandateDetails>;
  conflict: WithReason<ConflictReason, ConflictDetails>;
  /** `scope` is whom the limit counts; `creator_id` is there where it is one creator's. */
  rate_limited: {
    reason: RateLimitReason;
    scope?: string;
    limit?: number;
    creator_id?: string;
    resets_at?: string;
    retry_after: number;
  };
  unavailable: { retry_after?: number };
};

/** The details of an error code; unknown values where the guide names none (docs/guides/errors.md). */
export type DetailsOf<C extends ErrorCode> = C extends keyof DetailsByCode ? DetailsByCode[C] : Record<string, unknown>;

/** What every failure of a call carries. */
type CallFacts = {
  operation: string;
  /** How often the request was sent. */
  attempts: number;
  /** Of a write: send the same request with this one to learn how it ended. */
  idempotencyKey: string | null;
};

/** A call that failed: refused by the service, unanswered, or answered by something else. */
export class CdsError extends Error {
  readonly operation: string;
  readonly attempts: number;
  readonly idempotencyKey: string | null;

  constructor(message: string, facts: CallFacts, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = new.target.name;
    this.operation = facts.operation;
    this.attempts = facts.attempts;
    this.idempotencyKey = facts.idempotencyKey;
  }
}

export type ApiErrorBody = {
  code: ErrorCode;
  message: string;
  details: Record<string, unknown>;
  receiptId: string | null;
};

/** A refusal by the service. Narrow it with isApiError, then branch on `code` and `details.reason`. */
export class ApiFailure extends CdsError {
  readonly code: ErrorCode;
  readonly details: Record<string, unknown>;
  readonly status: number;
  /** Quote it when you report the error. */
  readonly requestId: string | null;
  /** The signed receipt of a mandate's refusal. */
  readonly receiptId: string | null;
  /** Seconds to wait before the same request may succeed, if the answer said so. */
  readonly retryAfter: number | null;

  constructor(
    body: ApiErrorBody,
    answer: { status: number; requestId: string | null; retryAfter: number | null },
    facts: CallFacts,
  ) {
    super(body.message, facts);
    this.code = body.code;
    this.details = body.details;
    this.receiptId = body.receiptId;
    this.status = answer.status;
    this.requestId = answer.requestId;
    this.retryAfter = answer.retryAfter;
  }

  /** Whether the same request, sent again with the same Idempotency-Key, may succeed. */
  get retryable(): boolean {
    return RETRYABLE.has(this.code);
  }
}

type Coded<C extends ErrorCode, D> = ApiFailure & { readonly code: C; readonly details: D };

/** Every refusal, discriminated by `code`; of a `conflict` or a `mandate_refused` also by `details.reason`. */
export type ApiError = { [C in ErrorCode]: Coded<C, DetailsOf<C>> }[ErrorCode];

type OwnDetails<N extends OperationName, C extends ErrorCode> = C extends 'conflict'
  ? Extract<DetailsOf<'conflict'>, { reason: Operations[N]['conflicts'] }>
  : DetailsOf<C>;

/** The refusals of one operation, with its own conflicts only. */
export type ErrorOf<N extends OperationName> = {
  [C in Operations[N]['codes']]: Coded<C, OwnDetails<N, C>>;
}[Operations[N]['codes']];

/** No answer arrived. Of a write the outcome is unknown: send it again with `idempotencyKey` to find out. */
export class ConnectionError extends CdsError {}

/** No answer arrived in time. Of a write the outcome is unknown: send it again with `idempotencyKey` to find out. */
export class TimeoutError extends ConnectionError {}

/** Something other than this API answered: check the url. */
export class UnexpectedAnswerError extends CdsError {
  readonly status: number;

  constructor(status: number, facts: CallFacts) {
    super(`The answer (status ${status}) is not one of this API. Check the url.`, facts);
    this.status = status;
  }
}

/** Whether something thrown is a refusal by the service. */
export const isApiError = (error: unknown): error is ApiError => error instanceof ApiFailure;

/** Whether something thrown is a refusal of this operation. */
export const isErrorOf = <N extends OperationName>(error: unknown, operation: N): error is ErrorOf<N> =>
  error instanceof ApiFailure && error.operation === operation;
