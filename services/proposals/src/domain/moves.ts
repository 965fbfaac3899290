// The moves of a proposal (docs/domain/orders.md#proposals): each takes a chain and returns the chain after the move.

import { dayOf } from '@cds/service/calendar';
import { DEFAULT_SEED, type RandomKey } from '@cds/service/seeded-random';
import { after, type Chain, type OfferLine, type Persona, type ProposalRow } from './chain.js';
import { ANSWER_WINDOW_MS, BOOKS_LATER_MS, LATE_ANSWER_MS, UNDELIVERED_MS } from './constants.js';
import { withDue } from './due.js';
import { booksAtOnce, personaAnswer } from './persona.js';

/**
 * The chain after a move, and whether it emits an event. `window` guards the statement: an answer needs the proposal
 * unexpired at `at`, an expiry the opposite.
 */
export type Move = { chain: Chain; emits: boolean; window: { open: Date } | { over: Date } | null };

const randomKeyOf = (line: OfferLine, attempt: number): RandomKey => ({
  seed: DEFAULT_SEED,
  campaignNumber: line.campaign_number,
  lineNumber: line.number,
  attempt,
});

/** The line after a change that is published. */
const withNewVersion = (line: OfferLine, change: Partial<OfferLine>): OfferLine => ({
  ...line,
  ...change,
  version: line.version + 1,
  rev: line.rev + 1,
});

const moved = (row: ProposalRow, change: Partial<ProposalRow>): ProposalRow =>
  withDue({ ...row, ...change, rev: row.rev + 1 });

/**
 * The first proposal of a line whose order was paid at `at`. No message leaves a sandbox: its proposal is sent at once
 * and a persona answers it (docs/domain/orders.md#sandbox-creators). A person's waits in `sending` until the message is
 * delivered.
 */
export const openFirst = (line: OfferLine, id: string, at: Date): Chain => {
  const attempt = line.attempts + 1;
  const row: ProposalRow = {
    _id: id,
    ws: line.ws,
    sandbox: line.sandbox,
    line_id: line._id,
    attempt,
    creator_id: line.creator_id,
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
    due_at: null,
    rev: 1,
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
    late_at: null,
    date: null,
  };
};

/**
 * The day booked when the creator names none: the line's day, or the booking day once that has passed; null once the
 * launch window is over.
 */
export const bookingDay = (line: OfferLine, at: Date): string | null => {
  const day = line.scheduled_date < dayOf(at) ? dayOf(at) : line.scheduled_date;
  return day > line.launch_window_end ? null : day;
};

/** Whether a creator may book a day: within the launch window, today or later (docs/domain/orders.md#proposals). */
export const mayBook = (line: OfferLine, date: string, at: Date): boolean =>
  date >= line.launch_window_start && date <= line.launch_window_end && date >= dayOf(at);

/** Whether the proposal is waiting for its creator at an instant. */
export const awaitsAnswer = ({ proposal }: Chain, at: Date): boolean =>
  proposal.state === 'sent' &&
  proposal.withdrawn_at === null &&
  proposal.expires_at !== null &&
  proposal.expires_at > at;

/** Whether a sandbox creator who accepts at `at` can still book later. */
export const mayBookLater = (line: OfferLine, at: Date): boolean =>
  bookingDay(line, after(at, BOOKS_LATER_MS)) !== null;

/** The creator accepts at `at`, and books `date` unless it is null. */
export const accept = ({ line, proposal }: Chain, at: Date, date: string | null): Move => {
  const booking_at = date === null && proposal.persona !== null ? after(at, BOOKS_LATER_MS) : null;
  return {
    chain: {
      line: withNewVersion(line, {
        open_attempt: null,
        ...(date === null ? {} : { booked: true, scheduled_date: date }),
      }),
      proposal: moved(proposal, {
        state: 'accepted',
        open: false,
        accepted_at: at,
        updated_at: at,
        persona: proposal.persona === null ? null : { ...done(proposal.persona), booking_at },
      }),
    },
    emits: true,
    window: proposal.state === 'sent' ? { open: at } : null,
  };
};

/** The creator books a day after accepting without one. */
export const book = ({ line, proposal }: Chain, at: Date, date: string): Move => ({
  chain: {
    line: withNewVersion(line, { booked: true, scheduled_date: date }),
    proposal: moved(proposal, {
      updated_at: at,
      persona: proposal.persona === null ? null : done(proposal.persona),
    }),
  },
  emits: true,
  window: null,
});

/** The creator declines at `at`. */
export const decline = ({ line, proposal }: Chain, at: Date, reason: string | null): Move => ({
  chain: {
    line: withNewVersion(line, { open_attempt: null }),
    proposal: moved(proposal, {
      state: 'declined',
      open: false,
      decline_reason: reason,
      updated_at: at,
      persona: proposal.persona === null ? null : done(proposal.persona),
    }),
  },
  emits: true,
  window: { open: at },
});

/** Nobody answered by `at`, or the message was never delivered. A late sandbox creator stays due. */
export const giveUp = ({ line, proposal }: Chain, at: Date): Move => ({
  chain: {
    line: withNewVersion(line, { open_attempt: null }),
    proposal: moved(proposal, { state: 'no_reply', open: false, updated_at: at }),
  },
  emits: true,
  window: proposal.state === 'sent' ? { over: at } : null,
});

/** Makes a sandbox creator let the proposal expire, or accept late. */
export const playSilence = ({ line, proposal }: Chain, late: boolean, date: string | null, at: Date): Move => ({
  chain: {
    line: { ...line, rev: line.rev + 1 },
    proposal: moved(proposal, {
      persona: {
        answer: null,
        answer_at: null,
        books_at_once: true,
        booking_at: null,
        late_at: late && proposal.sent_at !== null ? after(proposal.sent_at, LATE_ANSWER_MS) : null,
        date,
      },
    }),
  },
  emits: false,
  window: { open: at },
});

/** The order ended: the line is cancelled and its proposal withdrawn; the last state stays readable. */
export const withdraw = ({ line, proposal }: Chain, at: Date): Chain => ({
  line: withNewVersion(line, { cancelled: true, open_attempt: null }),
  proposal: moved(proposal, { open: false, withdrawn_at: at }),
});

/** The persona has no choices left. */
const done = (persona: Persona): Persona => ({
  ...persona,
  answer: null,
  answer_at: null,
  booking_at: null,
  late_at: null,
});

/** The persona of a creator who can no longer accept makes no more choices. */
export const forgetPersona = ({ line, proposal }: Chain): Move => ({
  chain: {
    line: { ...line, rev: line.rev + 1 },
    proposal: moved(proposal, { persona: proposal.persona === null ? null : done(proposal.persona) }),
  },
  emits: false,
  window: null,
});
