// What creators do with a proposal, and the team on their behalf (docs/domain/pages.md#creator-links).
import { addDays, dayOf } from '@cds/service/calendar';
import { after, bookedPost, type Chain, type OfferLine } from './chain.js';
import { ANSWER_WINDOW_MS, MOVED_UNTIL_DAYS } from './constants.js';
import {
  accept,
  asOne,
  book,
  bookingDay,
  decline,
  giveUp,
  type Move,
  mayBook,
  published,
  unpublished,
} from './moves.js';
import { type Offer, offerState } from './offer-state.js';

export type AnswerRefusal = 'closed' | 'replaced' | 'already_answered' | 'not_accepted' | 'date_booked' | 'bad_dates';

export type Answered = { move: Move } | { refusal: AnswerRefusal };

/** The message was delivered, or the creator opened the link: 48 hours to answer begin. */
export const delivered = (chain: Chain, at: Date): Move =>
  published(
    chain,
    {},
    { state: 'sent', sent_at: at, expires_at: after(at, ANSWER_WINDOW_MS), undelivered_at: null, updated_at: at },
  );

export const relinked = (chain: Chain): Move => unpublished(chain, { link: (chain.proposal.link ?? 1) + 1 });

/** The chain as an answer finds it: delivered by `at`, and expired if its time is over. */
const atAnswer = (chain: Chain, at: Date): { chain: Chain; window: Move['window'] } | null => {
  const { state, expires_at } = chain.proposal;
  if (state === 'sending') return { chain: delivered(chain, at).chain, window: null };
  if (state !== 'sent' || expires_at === null || expires_at > at) return null;
  return { chain: giveUp(chain, expires_at).chain, window: { over: at } };
};

/** Ends an offer that nobody answered, or that was never delivered, before the sweep reaches it. */
export const overBy = (chain: Chain, at: Date): Move | null => {
  const { state, expires_at, undelivered_at } = chain.proposal;
  const end = state === 'sent' ? expires_at : state === 'sending' ? undelivered_at : null;
  return end === null || end > at ? null : giveUp(chain, end);
};

const chainOf = ({ line, own }: Offer): Chain => ({ line, proposal: own });

const answered = (offer: Offer, at: Date, answer: (chain: Chain) => Move): Move => {
  const before = chainOf(offer);
  const applied = atAnswer(before, at);
  return applied === null ? answer(before) : asOne(before, { ...answer(applied.chain), window: applied.window });
};

/** The creator accepts at `at`, in time or late while the place is free, and books `date` unless it is null. */
export const acceptOffer = (offer: Offer, at: Date, date: string | null): Answered => {
  const state = offerState(offer, at);
  if (state === 'replaced' || state === 'closed') return { refusal: state };
  if (state !== 'open' && state !== 'expired') return { refusal: 'already_answered' };
  if (bookingDay(offer.line, at) === null) return { refusal: 'closed' };
  if (date !== null && !mayBook(offer.line, date, at)) return { refusal: 'bad_dates' };
  return { move: answered(offer, at, (chain) => accept(chain, at, date)) };
};

const noted = (move: Move, note: string | undefined): Move => ({
  ...move,
  chain: {
    ...move.chain,
    proposal: { ...move.chain.proposal, ...(note === undefined ? {} : { decline_note: note }) },
  },
});

export type Decline = { reason?: string | undefined; note?: string | undefined };

export const declineOffer = (offer: Offer, at: Date, { reason, note }: Decline): Answered => {
  const state = offerState(offer, at);
  if (state === 'replaced' || state === 'closed') return { refusal: state };
  if (state === 'expired') return { refusal: 'closed' };
  if (state !== 'open') return { refusal: 'already_answered' };
  return {
    move: noted(
      answered(offer, at, (chain) => decline(chain, at, reason ?? null)),
      note,
    ),
  };
};

const notUndated = (offer: Offer, at: Date): AnswerRefusal | null => {
  const state = offerState(offer, at);
  if (state === 'accepted') return null;
  if (state === 'booked') return 'date_booked';
  return state === 'replaced' || state === 'closed' ? state : 'not_accepted';
};

export const bookOffer = (offer: Offer, at: Date, date: string): Answered => {
  const refusal = notUndated(offer, at) ?? (mayBook(offer.line, date, at) ? null : 'bad_dates');
  return refusal === null ? { move: book(chainOf(offer), at, date) } : { refusal };
};

export const withdrawOffer = (offer: Offer, at: Date, { reason, note }: Decline): Answered => {
  const refusal = notUndated(offer, at);
  return refusal === null ? { move: noted(decline(chainOf(offer), at, reason ?? null), note) } : { refusal };
};

/** The team declines for the creator, or ends an acceptance before its post is live. */
export const declineForCreator = (offer: Offer, at: Date, reason: string | undefined): Answered => {
  const state = offerState(offer, at);
  if (state === 'accepted' || (state === 'booked' && !isPosted(offer)))
    return { move: decline(chainOf(offer), at, reason ?? null) };
  return state === 'booked' ? { refusal: 'closed' } : declineOffer(offer, at, { reason });
};

const isPosted = ({ line }: Offer): boolean => (bookedPost(line)?.status ?? 'booked') !== 'booked';

/** Whether a booked line still waits for its post: it is to come, or counts as missing. */
const isPostToCome = ({ line }: Offer): boolean => {
  const post = bookedPost(line);
  return post === null || post.status === 'booked' || post.blocked_reason === 'post_missing';
};

export const movableDays = (
  { launch_window_start: start, launch_window_end: end }: OfferLine,
  at: Date,
): { first: string; last: string } => {
  const today = dayOf(at);
  return { first: today > start ? today : start, last: addDays(end, MOVED_UNTIL_DAYS) };
};

/** The team and the creator agreed on another day for a booked post that has not come yet. */
export const moveBookedDay = (offer: Offer, at: Date, date: string): Answered => {
  const state = offerState(offer, at);
  if (state !== 'booked') return { refusal: state === 'replaced' || state === 'closed' ? state : 'not_accepted' };
  if (!isPostToCome(offer)) return { refusal: 'closed' };
  const { first, last } = movableDays(offer.line, at);
  return date < first || date > last ? { refusal: 'bad_dates' } : { move: book(chainOf(offer), at, date) };
};
