// The moves of a proposal (docs/domain/orders.md#proposals): each takes a chain and returns the chain after the move.

import type { CreditCause, Replacement } from '@cds/contracts';
import { dayOf } from '@cds/service/calendar';
import { DEFAULT_SEED, type RandomKey } from '@cds/service/seeded-random';
import {
  after,
  bookedPost,
  type Chain,
  type LineCredit,
  type OfferLine,
  type Persona,
  type ProposalRow,
  type Search,
} from './chain.js';
import { ANSWER_WINDOW_MS, BOOKS_LATER_MS, FULL_CREDIT_MS, LATE_ANSWER_MS, UNDELIVERED_MS } from './constants.js';
import { withDue } from './due.js';
import { answersLate, booksAtOnce, personaAnswer } from './persona.js';
import { begun, endOf, replacementDay } from './search.js';

/** `window` guards the write: an answer needs the proposal unexpired at `at`, an expiry the opposite. */
export type Move = {
  chain: Chain;
  emits: boolean;
  window: { open: Date } | { over: Date } | null;
  /** The attempt that `chain.proposal` follows, as it ends; absent where the proposal stays the same. */
  replaced?: ProposalRow;
};

/** More than the lines of a plan. */
const LINES_MOST = 1_000;

const randomKeyOf = (line: OfferLine, attempt: number): RandomKey => ({
  seed: line.seed ?? DEFAULT_SEED,
  campaignNumber: line.campaign_number,
  lineNumber: line.number,
  attempt,
});

export const withNewVersion = (line: OfferLine, change: Partial<OfferLine>): OfferLine => ({
  ...line,
  ...change,
  version: line.version + 1,
  rev: line.rev + 1,
});

/** The last of several moves that began at a chain, as one change of it: it is published once. */
export const asOne = ({ line }: Chain, { chain, ...move }: Move): Move => ({
  ...move,
  chain: { ...chain, line: withNewVersion({ ...chain.line, version: line.version, rev: line.rev }, {}) },
  emits: true,
});

export const moved = (row: ProposalRow, change: Partial<ProposalRow>): ProposalRow =>
  withDue({ ...row, ...change, rev: row.rev + 1 });

export const published = (
  { line, proposal }: Chain,
  ofLine: Partial<OfferLine>,
  ofProposal: Partial<ProposalRow>,
  window: Move['window'] = null,
): Move => ({
  chain: { line: withNewVersion(line, ofLine), proposal: moved(proposal, ofProposal) },
  emits: true,
  window,
});

export const unpublished = (
  { line, proposal }: Chain,
  ofProposal: Partial<ProposalRow>,
  window: Move['window'] = null,
): Move => ({
  chain: { line: { ...line, rev: line.rev + 1 }, proposal: moved(proposal, ofProposal) },
  emits: false,
  window,
});

/** No message leaves a sandbox: its proposal is sent at once, and a persona answers it. */
export const openFirst = (line: OfferLine, id: string, at: Date): Chain => opened(line, at, { _id: id });

const opened = (line: OfferLine, at: Date, of: Pick<ProposalRow, '_id'> & Partial<ProposalRow>): Chain => {
  const attempt = line.attempts + 1;
  const row: ProposalRow = {
    ws: line.ws,
    sandbox: line.sandbox,
    line_id: line._id,
    attempt,
    creator_id: line.creator_id,
    place: line.campaign_number * LINES_MOST + line.number,
    replaced_creator_id: null,
    state: line.sandbox ? 'sent' : 'sending',
    open: true,
    withdrawn_at: null,
    sent_at: line.sandbox ? at : null,
    expires_at: line.sandbox ? after(at, ANSWER_WINDOW_MS) : null,
    undelivered_at: line.sandbox ? null : after(at, UNDELIVERED_MS),
    accepted_at: null,
    decline_reason: null,
    updated_at: at,
    persona: line.sandbox ? personaOf(randomKeyOf(line, attempt), at) : null,
    search: null,
    ends_at: endOf(line, at),
    due_at: null,
    rev: 1,
    ...of,
  };
  return {
    line: withNewVersion(line, { attempts: attempt, open_attempt: attempt, tried: [...line.tried, line.creator_id] }),
    proposal: withDue(row),
  };
};

const personaOf = (key: RandomKey, sentAt: Date): Persona => {
  const choice = personaAnswer(key);
  return {
    answer: choice.answer === 'ignore' ? null : choice.answer,
    answer_at: choice.answer === 'ignore' ? null : after(sentAt, choice.afterMs),
    books_at_once: booksAtOnce(key),
    booking_at: null,
    late_at: choice.answer === 'ignore' && answersLate(key) ? after(sentAt, LATE_ANSWER_MS) : null,
    date: null,
  };
};

/** The line's day, or today once that has passed; null after the launch window. */
export const bookingDay = (line: OfferLine, at: Date): string | null => {
  const day = line.scheduled_date < dayOf(at) ? dayOf(at) : line.scheduled_date;
  return day > line.launch_window_end ? null : day;
};

export const mayBook = (line: OfferLine, date: string, at: Date): boolean =>
  date >= line.launch_window_start && date <= line.launch_window_end && date >= dayOf(at);

export const awaitsAnswer = ({ proposal }: Chain, at: Date): boolean =>
  proposal.state === 'sent' &&
  proposal.withdrawn_at === null &&
  proposal.expires_at !== null &&
  proposal.expires_at > at;

export const mayBookLater = (line: OfferLine, at: Date): boolean =>
  bookingDay(line, after(at, BOOKS_LATER_MS)) !== null;

export const accept = (chain: Chain, at: Date, date: string | null): Move => {
  const { persona, state } = chain.proposal;
  const booking_at = date === null ? after(at, BOOKS_LATER_MS) : null;
  return published(
    chain,
    { open_attempt: null, ...(date === null ? {} : { booked: true, scheduled_date: date }) },
    {
      state: 'accepted',
      open: false,
      accepted_at: at,
      updated_at: at,
      persona: persona === null ? null : { ...done(persona), booking_at },
      search: null,
      ...(date === null ? {} : { ends_at: null }),
    },
    state === 'sent' ? { open: at } : null,
  );
};

export const book = (chain: Chain, at: Date, date: string): Move =>
  published(
    chain,
    { booked: true, scheduled_date: date },
    { updated_at: at, persona: silent(chain.proposal), ends_at: null },
  );

/** The creator declines, or the acceptance ends before its post is live: a search begins. */
export const decline = (chain: Chain, at: Date, reason: string | null): Move =>
  published(
    chain,
    { open_attempt: null, booked: false },
    {
      state: 'declined',
      open: false,
      decline_reason: reason,
      declined_at: at,
      updated_at: at,
      persona: silent(chain.proposal),
      search: begun(at),
      ends_at: endOf(chain.line, at),
    },
    chain.proposal.state === 'sent' ? { open: at } : null,
  );

/** Nobody answered, or the message was never delivered: a search begins. A late sandbox creator stays due. */
export const giveUp = (chain: Chain, at: Date): Move =>
  published(
    chain,
    { open_attempt: null },
    { state: 'no_reply', open: false, updated_at: at, search: begun(at), ends_at: endOf(chain.line, at) },
    chain.proposal.state === 'sent' ? { over: at } : null,
  );

export const playSilence = (chain: Chain, late: boolean, date: string | null, at: Date): Move => {
  const { sent_at } = chain.proposal;
  const late_at = late && sent_at !== null ? after(sent_at, LATE_ANSWER_MS) : null;
  const persona = { answer: null, answer_at: null, books_at_once: true, booking_at: null, late_at, date };
  return unpublished(chain, { persona }, { open: at });
};

/** The search found nobody at `at`: it looks again later, until the line ends. */
export const unfilled = (chain: Chain, at: Date, search: Search): Move =>
  published(
    chain,
    {},
    { ...(chain.proposal.state === 'unfilled' ? {} : { state: 'unfilled', updated_at: at }), search },
  );

export const askBrand = (chain: Chain, search: Search): Move => published(chain, {}, { search });

/** Offers the line to another creator, whoever chose; price and order stay. */
export const replace = ({ line, proposal }: Chain, at: Date, to: Replacement, id: string): Move => {
  const taken: OfferLine = {
    ...line,
    creator_id: to.creator_id,
    unit_id: to.unit_id,
    format: to.format,
    deliverable: to.deliverable,
    expected_views: to.expected_views,
    views_low: to.views_low,
    views_high: to.views_high,
    engagement_rate: to.engagement_rate,
    fill_cents: to.price_cents,
    scheduled_date: replacementDay(line, at),
    booked: false,
  };
  return {
    chain: opened(taken, at, { _id: id, replaced_creator_id: proposal.creator_id, replaces_in: line.order_id }),
    emits: true,
    window: null,
    replaced: moved(proposal, { open: false, persona: silent(proposal), search: null, ends_at: null }),
  };
};

/** Whether a replacement may be named: the newest attempt has ended, and a day of the window is left. */
export const mayReplace = ({ line, proposal }: Chain, at: Date): boolean =>
  !line.cancelled &&
  proposal.withdrawn_at === null &&
  (proposal.state === 'declined' || proposal.state === 'no_reply' || proposal.state === 'unfilled') &&
  dayOf(at) <= line.launch_window_end;

export const uncredited = ({ price_cents, credits = [] }: OfferLine): number =>
  price_cents - credits.reduce((sum, one) => sum + one.amount_cents, 0);

/** The credits with one more of at most what is left of the price; a cause has one credit. */
const withCredit = (line: OfferLine, credit: LineCredit): LineCredit[] => {
  const credits = line.credits ?? [];
  const amount_cents = Math.min(credit.amount_cents, uncredited(line));
  return amount_cents <= 0 || credits.some(({ cause }) => cause === credit.cause)
    ? credits
    : [...credits, { ...credit, amount_cents }];
};

/**
 * What cancelling a line for the brand owes in US cents (docs/domain/orders.md#credits): its price while no post is
 * booked, until 48 hours before its day, and when its post is blocked; half of it later; nothing once the post is live.
 */
export const cancelCredit = (line: OfferLine, at: Date): number => {
  const status = bookedPost(line)?.status;
  if (status === 'live' || status === 'completed') return 0;
  if (!line.booked || status === 'blocked') return line.price_cents;
  const far = Date.parse(`${line.scheduled_date}T00:00:00.000Z`) - at.getTime() >= FULL_CREDIT_MS;
  return far ? line.price_cents : Math.floor(line.price_cents / 2);
};

/** What a line adds to its credits when it is cancelled at `at`, in US cents; nothing once it has ended. */
export const owedWhenCancelled = (line: OfferLine, at: Date): number =>
  line.cancelled ? 0 : Math.min(cancelCredit(line, at), uncredited(line));

/** The line ends at `at` without a post while its order continues, and owes `cents` of its price. */
export const cancelLine = (chain: Chain, at: Date, cause: CreditCause, cents: number): Move =>
  published(
    chain,
    {
      cancelled: true,
      cancel_cause: cause,
      booked: false,
      open_attempt: null,
      credits: withCredit(chain.line, { cause, amount_cents: cents, at }),
    },
    { open: false, withdrawn_at: at, search: null, ends_at: null },
  );

export const endLine = (chain: Chain, at: Date): Move =>
  cancelLine(chain, at, chain.proposal.state === 'accepted' ? 'undated' : 'unfilled', chain.line.price_cents);

export const credited = (chain: Chain, credit: LineCredit): Move =>
  published(chain, { credits: withCredit(chain.line, credit) }, {});

export const withdraw = ({ line, proposal }: Chain, at: Date, cents: number): Chain => ({
  line: withNewVersion(line, {
    cancelled: true,
    open_attempt: null,
    credits: withCredit(line, { cause: 'cancelled', amount_cents: cents, at }),
  }),
  proposal: moved(proposal, { open: false, withdrawn_at: at }),
});

const done = (persona: Persona): Persona => ({
  ...persona,
  answer: null,
  answer_at: null,
  booking_at: null,
  late_at: null,
});
const silent = ({ persona }: ProposalRow): Persona | null => (persona === null ? null : done(persona));

/** The persona of a creator who can no longer accept makes no more choices. */
export const forgetPersona = (chain: Chain): Move => unpublished(chain, { persona: silent(chain.proposal) });
