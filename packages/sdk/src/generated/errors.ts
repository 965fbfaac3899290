// Generated from libs/contracts by `npm run generate`. Do not edit.

/** Every code of an error. */
export type ErrorCode = 'bad_request' | 'filter_required' | 'unauthorized' | 'forbidden' | 'not_found' | 'method_not_allowed' | 'rate_limited' | 'unavailable' | 'internal' | 'mandate_refused' | 'conflict' | 'unprocessable' | 'idempotency_conflict' | 'in_progress';

/** Every reason of a `mandate_refused`. */
export type MandateReason = 'no_mandate' | 'mandate_expired' | 'channel_not_allowed' | 'approval_not_allowed' | 'terms_not_accepted' | 'over_max_plan_total' | 'over_monthly_cap' | 'over_budget';

/** Every reason of a `conflict` of a public operation. */
export type ConflictReason = 'already_in_plan' | 'already_priced' | 'archived' | 'bad_dates' | 'bad_state' | 'category_banned' | 'category_review' | 'has_plan' | 'last_creator' | 'lines_blocked' | 'no_open_proposal' | 'not_draft' | 'nothing_due' | 'over_budget' | 'plan_full' | 'plan_signed' | 'same_day' | 'sandbox_full' | 'secret_gone' | 'terms_changed' | 'too_many_faults' | 'too_many_keys';

/** The codes after which the same request, sent again, may succeed. */
export const RETRYABLE: ReadonlySet<string> = new Set(['rate_limited', 'unavailable', 'internal', 'in_progress']);
