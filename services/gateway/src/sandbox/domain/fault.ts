import {
  AppError,
  ERROR_CODES,
  type ErrorCode,
  type Input,
  LIMITS,
  type LimitName,
  limitsOf,
  MANDATE_REASONS,
  type OperationDeclaration,
  operationByName,
  type Problem,
  refusalsOf,
  secondsUntil,
} from '@cds/contracts';
import { nextMidnight } from './clock.js';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const STREAM_MS = 300_000;

/**
 * Faults of a sandbox (docs/domain/sandbox.md#faults): errors and delays that a developer arms to try them out. A fault
 * replaces the answer of the owning service, so it takes only codes that come from there. To see what a request gets
 * for its credential, scope or form, send such a request.
 */

/** What a call gets. Without a code, the operation answers after the delay. */
export type Fault = {
  operation: string;
  status: number | null;
  code: ErrorCode | null;
  reason: string | null;
  delay_ms: number;
};

/** The codes of the edge's own checks, before any service is asked (docs/domain/requests.md#order-of-errors). */
const OF_THE_EDGE: ReadonlySet<ErrorCode> = new Set(['bad_request', 'unauthorized', 'forbidden']);

/** Whom a refusal by a limit names, and when the limit reopens (docs/specification.md#limits). */
type Reopening = { scope?: string; reopens: 'minute' | 'midnight' | { afterMs: number } };

const REOPENING = {
  request_rate: { scope: 'key', reopens: 'minute' },
  daily_writes: { scope: 'key', reopens: 'midnight' },
  per_minute: { scope: 'key', reopens: 'minute' },
  daily_lists: { scope: 'key', reopens: 'midnight' },
  daily_reveals: { scope: 'key', reopens: 'midnight' },
  locked: { scope: 'key', reopens: { afterMs: 10 * MINUTE_MS } },
  daily_seen: { scope: 'workspace', reopens: 'midnight' },
  daily_limit: { scope: 'workspace', reopens: { afterMs: DAY_MS } },
  daily_campaign_limit: { reopens: { afterMs: DAY_MS } },
  child_key_limit: { scope: 'key', reopens: { afterMs: DAY_MS } },
  daily_feedback: { scope: 'brand', reopens: 'midnight' },
  stream_limit: { scope: 'key', reopens: { afterMs: STREAM_MS } },
} as const satisfies Partial<Record<LimitName, Reopening>>;
type Reopens = keyof typeof REOPENING;

const canRefuse = (name: string): name is Reopens => name in REOPENING;

/** The reasons that a code has on an operation; none for a code without reasons. */
const reasonsOf = (operation: OperationDeclaration, code: ErrorCode): readonly string[] => {
  if (code === 'conflict') return operation.conflicts ?? [];
  // Over budget is the mandate's only in a quote; requests get the conflict.
  if (code === 'mandate_refused') return MANDATE_REASONS.filter((reason) => reason !== 'over_budget');
  if (code === 'rate_limited') return limitsOf(operation).flatMap(({ name }) => (canRefuse(name) ? [name] : []));
  return [];
};

type Answerable = { status: number; codes: readonly ErrorCode[] };

/** What the service behind an operation can answer other than success, by status. */
const answerable = (operation: OperationDeclaration): Answerable[] =>
  refusalsOf(operation).flatMap(({ codes, status }) => {
    const own = codes.filter((code) => !OF_THE_EDGE.has(code));
    const [first] = own;
    return first === undefined ? [] : [{ status: status ?? ERROR_CODES[first].status, codes: own }];
  });

const listed = (values: readonly (string | number)[]): string => values.join(', ');

/** The complete fault, or what is wrong with the request for it and which values go together. */
export const faultOf = (wanted: Input<'sandbox_fault_arm'>): { fault: Fault } | { problem: Problem } => {
  const { operation: name, status, delay_ms = 0 } = wanted;
  const operation = operationByName(name);
  if (operation?.audience !== 'brand' || operation.rest === undefined)
    return problem('operation', 'must be the name of an operation of the API, such as plan_quote or approve_plan');
  if (status === undefined) return delayed(wanted, { operation: name, delay_ms });

  const statuses = answerable(operation);
  const of = statuses.find((one) => one.status === status);
  if (of === undefined)
    return problem('status', `must be one that ${name} can answer: ${listed(statuses.map((one) => one.status))}`);

  const code = codeOf(operation, of, wanted);
  if (code === null) return problem('code', `must be one that ${name} answers with ${status}: ${listed(of.codes)}`);

  const reasons = reasonsOf(operation, code);
  const reason = wanted.reason ?? (code === 'rate_limited' ? 'request_rate' : null);
  if (reason === null && reasons.length > 0)
    return problem('reason', `is required for ${code} of ${name}: ${listed(reasons)}`);
  if (reason !== null && !reasons.includes(reason))
    return problem(
      'reason',
      reasons.length === 0
        ? `is not accepted for ${code}, which has no reasons`
        : `must be one of ${code} of ${name}: ${listed(reasons)}`,
    );
  return { fault: { operation: name, status, code, reason, delay_ms } };
};

const problem = (field: string, message: string): { problem: Problem } => ({ problem: { field, message } });

/** A fault that only delays has nothing that belongs to an error. */
const delayed = (
  { code, reason }: Input<'sandbox_fault_arm'>,
  rest: Pick<Fault, 'operation' | 'delay_ms'>,
): { fault: Fault } | { problem: Problem } => {
  if (code !== undefined) return problem('code', 'goes with a `status`; send that too');
  if (reason !== undefined) return problem('reason', 'goes with a `status`; send that too');
  return { fault: { ...rest, status: null, code: null, reason: null } };
};

/** The code of a status: the one sent, that of the reason, or else the first; null for a code of another status. */
const codeOf = (
  operation: OperationDeclaration,
  { codes }: Answerable,
  { code, reason }: Input<'sandbox_fault_arm'>,
): ErrorCode | null => {
  if (code !== undefined) return codes.includes(code) ? code : null;
  const having = reason === undefined ? undefined : codes.find((one) => reasonsOf(operation, one).includes(reason));
  return having ?? codes[0] ?? null;
};

const reopening = ({ reopens }: Reopening, now: Date): Date => {
  if (reopens === 'midnight') return nextMidnight(now);
  if (reopens === 'minute') return new Date((Math.floor(now.getTime() / MINUTE_MS) + 1) * MINUTE_MS);
  return new Date(now.getTime() + reopens.afterMs);
};

const NEXT: Partial<Record<ErrorCode, string>> = {
  rate_limited: 'Wait until the limit reopens, then send it again.',
  unavailable: 'Send the same request again, a write with the same Idempotency-Key.',
  internal: 'Send the same request again, a write with the same Idempotency-Key.',
  in_progress: 'Send the same request again with the same Idempotency-Key.',
  idempotency_conflict: 'Use a new Idempotency-Key for a new request.',
  conflict: 'Read the state, decide again, and send with a new Idempotency-Key.',
  mandate_refused: 'Ask a person at the brand. Retrying does not help.',
  not_found: 'Check the id, or list again.',
  unprocessable: 'Correct the values, then send it again.',
  filter_required: 'Set a filter.',
};

const RETRY_SECONDS = 1;

/**
 * The error that a call gets, with the body that the code has (docs/specification.md#details-by-code). Amounts are left
 * out, since nothing was computed. null for a fault that only delays. `now` is the database's time.
 */
export const faultError = ({ operation, status, code, reason }: Fault, now: Date): AppError | null => {
  if (code === null || status === null) return null;
  const message =
    `A fault of this sandbox answers this call of ${operation}; nothing was done. ${NEXT[code] ?? ''}`.trim();
  const own = status === ERROR_CODES[code].status ? {} : { status };
  switch (code) {
    case 'rate_limited':
      return new AppError(code, message, limitDetails(reason ?? 'request_rate', now));
    case 'conflict':
    case 'mandate_refused':
      return new AppError(code, message, { reason, ...(code === 'mandate_refused' ? { escalate: true } : {}) });
    case 'unavailable':
    case 'in_progress':
      return new AppError(code, message, { retry_after: RETRY_SECONDS }, own);
    case 'unprocessable':
    case 'filter_required':
      return new AppError(code, message, {
        problems: [{ field: 'body', message: 'is refused by a fault of this sandbox' }],
      });
    default:
      return new AppError(code, message);
  }
};

const limitDetails = (reason: string, now: Date): Record<string, unknown> => {
  if (!canRefuse(reason)) throw new Error(`there is no limit ${reason}`);
  const limit: Reopening = REOPENING[reason];
  const resetsAt = reopening(limit, now);
  return {
    reason,
    ...(limit.scope === undefined ? {} : { scope: limit.scope }),
    limit: LIMITS[reason].limit,
    resets_at: resetsAt.toISOString(),
    retry_after: secondsUntil(resetsAt, now),
  };
};
