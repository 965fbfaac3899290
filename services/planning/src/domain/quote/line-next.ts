// What is happening to a paid line and what comes next, in words (docs/domain/orders.md#what-comes-next).
import type { CreditCause, LineCredit, PaymentState, ReplacementCandidate } from '@cds/contracts';
import type { LineProgress } from './stage.js';

/** Instants are ISO texts, amounts US cents. */
export type LineAhead = {
  expires_at: string | null;
  search: { next_at: string | null; choose_until: string | null; candidates: readonly ReplacementCandidate[] } | null;
  ends_at: string | null;
  cancel_cause: CreditCause | null;
  credits: readonly Pick<LineCredit, 'cause' | 'amount_cents'>[];
  scheduled_date: string | null;
  published_at: string | null;
  post_next: { kind: string; at: string } | null;
};

export const NOTHING_AHEAD: LineAhead = {
  expires_at: null,
  search: null,
  ends_at: null,
  cancel_cause: null,
  credits: [],
  scheduled_date: null,
  published_at: null,
  post_next: null,
};

/** `at` is when something happens at the latest; null when nothing more will. */
export type LineNext = { text: string; at: string | null; candidates?: readonly ReplacementCandidate[] };

const STILL_UP_DAYS = 7;
const LATE_DAYS = 3;
const PAID: readonly (PaymentState | null)[] = ['paid', 'partially_refunded'];

/** Null before the order is paid and after it has ended. */
export const lineNext = (progress: LineProgress, ahead: LineAhead, order: PaymentState | null): LineNext | null => {
  if (!PAID.includes(order)) return null;
  if (progress.cancelled) return { text: cancelledText(ahead), at: null };
  if (progress.post?.status === 'completed')
    return { text: `Still up after ${STILL_UP_DAYS} days.${owed(ahead)}`, at: null };
  if (progress.booked) return booked(progress, ahead);
  return offered(progress, ahead);
};

const booked = ({ post }: LineProgress, ahead: LineAhead): LineNext => {
  if (post?.status === 'live') {
    const proved = ahead.published_at === null ? null : daysAfter(ahead.published_at, STILL_UP_DAYS);
    return { text: 'Live. The post is checked again until it is proved to be still up after seven days.', at: proved };
  }
  if (post?.status === 'blocked') return { text: blockedText(post.blocked_reason), at: ahead.post_next?.at ?? null };
  const day = ahead.scheduled_date;
  return {
    text: `Booked for ${day ?? 'the agreed day'}. If the post has not come ${LATE_DAYS} days later, it counts as missing.`,
    at: day === null ? null : daysAfter(day, LATE_DAYS + 1),
  };
};

const BLOCKED: Readonly<Record<string, string>> = {
  post_missing: 'The post did not come.',
  post_gone: 'The post was removed before its proof.',
  no_disclosure: 'The post does not disclose the partnership.',
};

const blockedText = (reason: string | null): string =>
  `${BLOCKED[reason ?? ''] ?? 'The post cannot go on.'} Without a remedy by the creator, another creator is asked or the line is credited.`;

const offered = ({ proposal_state: state }: LineProgress, ahead: LineAhead): LineNext => {
  switch (state) {
    case 'sent':
      return { text: 'The creator was asked and answers within 48 hours.', at: ahead.expires_at };
    case 'accepted':
      return { text: 'The creator agreed and has to book a day. Without one the line is credited.', at: ahead.ends_at };
    case 'declined':
    case 'no_reply':
    case 'unfilled':
      return searching(ahead);
    case 'sending':
    case null:
      return { text: 'The offer is on its way to the creator.', at: ahead.ends_at };
  }
};

const searching = ({ search, ends_at }: LineAhead): LineNext => {
  if (search?.choose_until != null)
    return {
      text: 'Choose a replacement over the REST API, or the search takes the first.',
      at: search.choose_until,
      candidates: search.candidates,
    };
  return search?.next_at == null
    ? { text: 'Nobody was found, and too little of the launch window is left. The line is credited.', at: ends_at }
    : {
        text: 'Looking for a replacement. Without one by the end of the launch window the line is credited.',
        at: search.next_at,
      };
};

const ENDED: Readonly<Partial<Record<CreditCause, string>>> = {
  unfilled: 'No creator took the post.',
  undated: 'No day was booked in time.',
  post_missing: 'The post did not come.',
  post_gone: 'The post was removed before its proof.',
  no_disclosure: 'The post did not disclose the partnership.',
  dispute: 'Your claim was accepted.',
};

const cancelledText = (ahead: LineAhead): string =>
  `Cancelled. ${(ahead.cancel_cause === null ? undefined : ENDED[ahead.cancel_cause]) ?? 'The team cancelled the post.'}${owed(ahead)}`;

const owed = ({ credits }: LineAhead): string => {
  const cents = credits.reduce((sum, one) => sum + one.amount_cents, 0);
  return cents === 0 ? '' : ` ${usd(cents)} is credited to you.`;
};

const usd = (cents: number): string => (cents / 100).toLocaleString('en-US', { style: 'currency', currency: 'USD' });

const daysAfter = (iso: string, days: number): string => new Date(Date.parse(iso) + days * 86_400_000).toISOString();
