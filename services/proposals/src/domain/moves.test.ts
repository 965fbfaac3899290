import { describe, expect, it } from '@jest/globals';
import { anOrder, aRandomKey, aReplacement, aSignedLine, begun, dueMoveAt } from '../test/builders.js';
import type { Chain, OfferLine, Persona, ProposalRow } from './chain.js';
import { dueFactsOf } from './due.js';
import { followOrder } from './follow-order.js';
import {
  accept,
  askBrand,
  awaitsAnswer,
  book,
  bookingDay,
  cancelLine,
  credited,
  decline,
  endLine,
  forgetPersona,
  giveUp,
  type Move,
  mayBook,
  mayBookLater,
  owedWhenCancelled,
  playSilence,
  replace,
  unfilled,
  withdraw,
} from './moves.js';
import { answersLate, personaAnswer } from './persona.js';

const aChain = (sandbox = true): Chain => {
  const order = anOrder({ sandbox, lines: [aSignedLine({ scheduled_date: '2026-12-05' })] });
  return begun(order);
};
/** A chain whose creator stays silent, so that only the test moves it. */
const aSilentChain = (late = false): Chain => playSilence(aChain(), late, null, new Date('2026-11-21T12:00:00Z')).chain;
const at = (instant: string): Date => new Date(instant);

/** docs/domain/orders.md#proposals. */
describe('a booked day', () => {
  it.each([
    ['before the line’s day', '2026-11-22T10:00:00Z', '2026-12-05'],
    ['on the line’s day', '2026-12-05T23:59:59Z', '2026-12-05'],
    ['after the line’s day, within the window', '2026-12-06T00:00:00Z', '2026-12-06'],
    ['on the last day of the window', '2026-12-20T23:59:59.999Z', '2026-12-20'],
    ['after the window, when no day is left', '2026-12-21T08:00:00Z', null],
  ])('is the right one when a creator accepts %s', (_when, now, day) => {
    expect(bookingDay(aChain().line, at(now))).toBe(day);
  });

  it.each([
    ['2026-11-30', '2026-11-22T10:00:00Z', false],
    ['2026-12-01', '2026-11-22T10:00:00Z', true],
    ['2026-12-20', '2026-11-22T10:00:00Z', true],
    ['2026-12-21', '2026-11-22T10:00:00Z', false],
    ['2026-12-02', '2026-12-03T00:00:00Z', false],
    ['2026-12-03', '2026-12-03T23:00:00Z', true],
  ])('may be %s at %s: %s', (day, now, may) => {
    expect(mayBook(aChain().line, day, at(now))).toBe(may);
  });
});

describe('a sandbox creator who accepts', () => {
  it.each([
    ['2026-12-20T11:59:59.999Z', true],
    ['2026-12-20T12:00:00.000Z', false],
  ])('at %s can still book 12 hours later: %s', (now, may) => {
    expect(mayBookLater(aChain().line, at(now))).toBe(may);
  });
});

describe('a proposal', () => {
  it.each<[waits: boolean, what: string, over: Partial<ProposalRow>]>([
    [true, 'that was sent', {}],
    [false, 'that nobody has delivered', { state: 'sending' }],
    [false, 'that is accepted', { state: 'accepted' }],
    [false, 'that was withdrawn', { withdrawn_at: at('2026-11-21T13:00:00Z') }],
    [false, 'without a deadline', { expires_at: null }],
  ])('waits for an answer: %s, %s', (waits, _what, over) => {
    const chain = aChain();
    const open = { ...chain, proposal: { ...chain.proposal, ...over } };
    expect(awaitsAnswer(open, at('2026-11-21T14:00:00Z'))).toBe(waits);
  });

  it('in a sandbox is sent on payment and open for exactly 48 hours', () => {
    const chain = aChain();
    expect(chain.proposal).toMatchObject({ state: 'sent', open: true, sent_at: at('2026-11-21T12:00:00Z') });
    expect(awaitsAnswer(chain, at('2026-11-23T11:59:59.999Z'))).toBe(true);
    expect(awaitsAnswer(chain, at('2026-11-23T12:00:00.000Z'))).toBe(false);
  });

  it('to a person waits for delivery and is abandoned after 24 hours', () => {
    const chain = aChain(false);
    expect(chain.proposal).toMatchObject({ state: 'sending', sent_at: null, expires_at: null, persona: null });
    expect(dueMoveAt(chain, at('2026-11-22T11:59:59.999Z'))).toBeNull();
    expect(dueMoveAt(chain, at('2026-11-22T12:00:00Z'))?.chain.proposal).toMatchObject({
      state: 'no_reply',
      open: false,
    });
  });

  it('left unanswered becomes no_reply as of its deadline, whenever the sweep runs', () => {
    const chain = aSilentChain();
    expect(dueMoveAt(chain, at('2026-11-23T11:59:59.999Z'))).toBeNull();
    const move = dueMoveAt(chain, at('2026-12-24T00:00:00Z'));
    expect(move?.chain.proposal).toMatchObject({ state: 'no_reply', updated_at: at('2026-11-23T12:00:00Z') });
    expect(move?.window).toEqual({ over: at('2026-11-23T12:00:00Z') });
    expect(move?.chain.line.version).toBe(chain.line.version + 1);
  });

  it('is booked when accepted with a day, and not when declined', () => {
    const chain = aChain();
    const now = at('2026-11-21T13:00:00Z');
    expect(accept(chain, now, '2026-12-07').chain.line).toMatchObject({ booked: true, scheduled_date: '2026-12-07' });
    expect(decline(chain, now, 'price').chain).toMatchObject({
      line: { booked: false, open_attempt: null },
      proposal: { state: 'declined', decline_reason: 'price', due_at: now, search: { next_at: now } },
    });
  });

  it('accepted without a day is booked 12 hours later', () => {
    const accepted = accept(aChain(), at('2026-11-21T13:00:00Z'), null).chain;
    expect(accepted.line.booked).toBe(false);
    expect(dueFactsOf(accepted.proposal)).toEqual([
      { kind: 'proposal_booking', at: at('2026-11-22T01:00:00Z') },
      { kind: 'line_end', at: at('2026-12-21T00:00:00Z') },
    ]);
    expect(dueMoveAt(accepted, at('2026-11-23T00:00:00Z'))?.chain).toMatchObject({
      line: { booked: true, scheduled_date: '2026-12-05' },
      proposal: { state: 'accepted', updated_at: at('2026-11-22T01:00:00Z'), due_at: null },
    });
  });

  it('answered late is accepted after 52 hours, only while the line is free and a day is left', () => {
    const expired = dueMoveAt(aSilentChain(true), at('2026-11-24T00:00:00Z'))?.chain;
    if (expired === undefined) throw new Error('the deadline has passed');
    const unfilled = dueMoveAt(expired, at('2026-11-23T16:00:00Z'))?.chain;
    if (unfilled === undefined) throw new Error('the search is due');
    const late = dueMoveAt(unfilled, at('2026-11-23T16:00:00Z'))?.chain;
    expect(late).toMatchObject({
      line: { booked: true },
      proposal: { state: 'accepted', accepted_at: at('2026-11-23T16:00:00Z'), search: null, due_at: null },
    });

    const replaced = dueMoveAt(expired, at('2026-11-23T16:00:00Z'), {
      replacements: 'auto',
      candidates: [aReplacement()],
    });
    expect(replaced?.replaced).toMatchObject({ state: 'no_reply', due_at: null });
  });

  it('keeps its state when withdrawn, and has nothing due', () => {
    expect(withdraw(aChain(), at('2026-11-22T00:00:00Z'), 0)).toMatchObject({
      line: { cancelled: true, open_attempt: null },
      proposal: { state: 'sent', open: false, due_at: null },
    });
  });
});

/** docs/domain/orders.md#sandbox-creators. */
describe('what a sandbox creator will do', () => {
  const SENT = at('2026-11-21T12:00:00.000Z');
  const HOUR_MS = 3_600_000;
  const after = (ms: number): Date => new Date(SENT.getTime() + ms);
  const offeredIn = (campaign_number: number, seed?: number): Chain => {
    const order = anOrder();
    const campaign = { ...order.campaign, campaign_number, ...(seed === undefined ? {} : { seed }) };
    return begun({ ...order, campaign });
  };
  const CAMPAIGNS = Array.from({ length: 100 }, (_none, at_) => at_ + 1);

  it('is drawn when the proposal is sent: an answer and its time, or silence and perhaps a late answer', () => {
    const seen = new Set<string>();
    for (const number of CAMPAIGNS) {
      const { proposal } = offeredIn(number);
      const drawn = personaAnswer(aRandomKey(number));
      const late = drawn.answer === 'ignore' && answersLate(aRandomKey(number));
      expect(proposal.persona).toMatchObject(
        drawn.answer === 'ignore'
          ? { answer: null, answer_at: null, late_at: late ? after(52 * HOUR_MS) : null }
          : { answer: drawn.answer, answer_at: after(drawn.afterMs), late_at: null },
      );
      expect(proposal.persona).toMatchObject({ booking_at: null, date: null });
      seen.add(late ? 'late' : drawn.answer);
    }
    expect([...seen].sort()).toEqual(['accept', 'decline', 'ignore', 'late']);
  });

  it('depends on the seed of the sandbox', () => {
    const answers = (seed?: number) => CAMPAIGNS.map((number) => offeredIn(number, seed).proposal.persona);
    expect(answers(1)).toEqual(answers());
    expect(answers(2)).not.toEqual(answers());
  });

  it('is done in the order of campaigns and their lines', () => {
    const order = anOrder({ lines: [aSignedLine(), aSignedLine({ number: 2 })] });
    const campaign = { ...order.campaign, campaign_number: 3 };
    const places = order.lines.map(
      (line) => followOrder({ ...order, campaign }, line, null, () => 'proposal-1')?.proposal?.place,
    );
    expect(places).toEqual([3_001, 3_002]);
  });
});

describe('a move', () => {
  const NOW = at('2026-11-22T10:00:00Z');
  const CHOOSING: Persona = {
    answer: 'accept',
    answer_at: NOW,
    books_at_once: true,
    booking_at: NOW,
    late_at: NOW,
    date: '2026-12-07',
  };
  const DONE: Persona = { ...CHOOSING, answer: null, answer_at: null, booking_at: null, late_at: null };
  const SEARCH = { next_at: NOW, choose_until: null, candidates: [] };
  const inState = (state: ProposalRow['state'], persona: Persona | null = CHOOSING, line: Partial<OfferLine> = {}) => {
    const chain = aChain();
    return { line: { ...chain.line, ...line }, proposal: { ...chain.proposal, state, persona } };
  };

  it.each<[what: string, emits: boolean, window: 'open' | 'over' | null, move: (chain: Chain) => Move]>([
    ['an acceptance', true, 'open', (chain) => accept(chain, NOW, '2026-12-07')],
    ['a decline', true, 'open', (chain) => decline(chain, NOW, null)],
    ['an expiry', true, 'over', (chain) => giveUp(chain, NOW)],
    ['a played silence', false, 'open', (chain) => playSilence(chain, false, null, NOW)],
    ['a booking', true, null, (chain) => book(chain, NOW, '2026-12-07')],
    ['a search that found nobody', true, null, (chain) => unfilled(chain, NOW, SEARCH)],
    ['a question to the brand', true, null, (chain) => askBrand(chain, SEARCH)],
    ['a replacement', true, null, (chain) => replace(chain, NOW, aReplacement(), 'proposal-2')],
    ['a cancellation', true, null, (chain) => cancelLine(chain, NOW, 'cancelled', 0)],
    ['an end without a day', true, null, (chain) => endLine(chain, NOW)],
    ['a credit', true, null, (chain) => credited(chain, { cause: 'dispute', amount_cents: 1, at: NOW })],
    ['a forgotten choice', false, null, (chain) => forgetPersona(chain)],
  ])('%s is published: %s, and is held to the time to answer of a sent proposal: %s', (_what, emits, window, move) => {
    const sent = inState('sent');
    const moved = move(sent);
    expect(moved).toMatchObject({ emits, window: window === null ? null : { [window]: NOW } });
    expect(moved.chain.line.version - sent.line.version).toBe(emits ? 1 : 0);
    expect(moved.chain.line.rev).toBe(sent.line.rev + 1);
    const before = moved.replaced ?? moved.chain.proposal;
    expect(before.rev).toBe(sent.proposal.rev + 1);
    if (window === 'over' || moved.chain.proposal.state !== 'sent') expect(move(inState('no_reply')).window).toBeNull();
  });

  it.each<[what: string, left: Persona, move: (chain: Chain) => Move]>([
    ['an acceptance with a day', DONE, (chain) => accept(chain, NOW, '2026-12-07')],
    [
      'an acceptance without a day, but to book',
      { ...DONE, booking_at: at('2026-11-22T22:00:00Z') },
      (chain) => accept(chain, NOW, null),
    ],
    ['a booking', DONE, (chain) => book(chain, NOW, '2026-12-07')],
    ['a decline', DONE, (chain) => decline(chain, NOW, null)],
    ['a replacement', DONE, (chain) => replace(chain, NOW, aReplacement(), 'proposal-2')],
    ['a forgotten choice', DONE, (chain) => forgetPersona(chain)],
    ['an expiry, but to accept late', CHOOSING, (chain) => giveUp(chain, NOW)],
  ])('leaves a sandbox creator nothing to do, and a person nothing at all: %s', (_what, left, move) => {
    const rowOf = ({ chain, replaced }: Move): ProposalRow => replaced ?? chain.proposal;
    expect(rowOf(move(inState('sent'))).persona).toEqual(left);
    expect(rowOf(move(inState('sent', null))).persona).toBeNull();
  });

  it.each<[free: null | number, what: string, move: (chain: Chain) => Move]>([
    [null, 'an acceptance', (chain) => accept(chain, NOW, null)],
    [null, 'a decline', (chain) => decline(chain, NOW, null)],
    [null, 'an expiry', (chain) => giveUp(chain, NOW)],
    [null, 'a cancellation', (chain) => cancelLine(chain, NOW, 'cancelled', 0)],
    [1, 'a booking', (chain) => book(chain, NOW, '2026-12-07')],
  ])('leaves attempt %s open: %s', (open_attempt, _what, move) => {
    expect(move(inState('sent')).chain).toMatchObject({ line: { open_attempt } });
  });

  it.each<[what: string, move: (chain: Chain) => Move]>([
    ['accepted', (chain) => accept(chain, NOW, null)],
    ['declined', (chain) => decline(chain, NOW, null)],
    ['not answered', (chain) => giveUp(chain, NOW)],
    ['cancelled', (chain) => cancelLine(chain, NOW, 'cancelled', 0)],
  ])('closes a proposal that is %s', (_what, move) => {
    expect(move(inState('sent')).chain.proposal.open).toBe(false);
  });

  it('to a search that found nobody keeps when the line was unfilled first', () => {
    const first = unfilled(inState('declined'), NOW, SEARCH).chain;
    expect(first.proposal).toMatchObject({ state: 'unfilled', updated_at: NOW, search: SEARCH });
    expect(unfilled(first, at('2026-11-23T06:00:00Z'), SEARCH).chain.proposal.updated_at).toEqual(NOW);
  });

  it.each([
    [true, '2026-11-23T16:00:00.000Z'],
    [false, null],
  ])('to a played silence accepts late 52 hours after it was sent: %s', (late, instant) => {
    const { chain } = playSilence(inState('sent'), late, '2026-12-09', NOW);
    const late_at = instant === null ? null : at(instant);
    expect(chain.proposal.persona).toEqual({ ...DONE, late_at, date: '2026-12-09' });
    const undelivered = inState('sending');
    const never = { ...undelivered, proposal: { ...undelivered.proposal, sent_at: null } };
    expect(playSilence(never, late, null, NOW).chain.proposal.persona?.late_at).toBeNull();
  });

  it('offers a replacement under its own id, to another creator, and closes the proposal before', () => {
    const declined = decline(inState('sent'), NOW, null).chain;
    const { chain, replaced } = replace(declined, NOW, aReplacement(), 'proposal-2');
    expect(chain.proposal).toMatchObject({ _id: 'proposal-2', replaced_creator_id: declined.line.creator_id });
    expect(replaced).toMatchObject({ _id: 'proposal-1', open: false, search: null, ends_at: null, due_at: null });
  });

  it('that ends the window names why no day was booked', () => {
    expect(endLine(inState('accepted'), NOW).chain.line.cancel_cause).toBe('undated');
    expect(endLine(inState('unfilled'), NOW).chain.line.cancel_cause).toBe('unfilled');
  });
});

/** docs/domain/orders.md#credits. */
describe('a line', () => {
  const NOW = at('2026-11-22T10:00:00Z');
  const credit = { cause: 'dispute' as const, amount_cents: 50_000, at: NOW };

  it('owes what is left of its price when it is cancelled, and nothing once it has ended', () => {
    const { line } = aChain();
    expect(owedWhenCancelled(line, NOW)).toBe(60_000);
    expect(owedWhenCancelled({ ...line, credits: [credit] }, NOW)).toBe(10_000);
    const near = { ...line, booked: true, scheduled_date: '2026-11-23' };
    expect(owedWhenCancelled(near, NOW)).toBe(30_000);
    expect(owedWhenCancelled({ ...near, credits: [credit] }, NOW)).toBe(10_000);
    expect(owedWhenCancelled({ ...line, cancelled: true }, NOW)).toBe(0);
  });

  it('owes one credit for each cause', () => {
    const first = credited(aChain(), credit).chain;
    expect(credited(first, { ...credit, amount_cents: 5_000 }).chain.line.credits).toEqual([credit]);
    const other = { cause: 'cheaper' as const, amount_cents: 4_000, at: NOW };
    expect(credited(first, other).chain.line.credits).toEqual([credit, other]);
  });

  it('that is withdrawn owes what the order’s cancellation gave it', () => {
    const { line, proposal } = withdraw(aChain(), NOW, 30_000);
    expect(line.credits).toEqual([{ cause: 'cancelled', amount_cents: 30_000, at: NOW }]);
    expect(proposal).toMatchObject({ open: false, withdrawn_at: NOW });
  });
});
