import { describe, expect, it } from '@jest/globals';
import { anOrder, aReplacement, aSignedLine, begun } from '../test/builders.js';
import type { Chain, OfferLine, Persona, ProposalRow } from './chain.js';
import type { DueKind } from './due.js';
import { asOneMove, dueMove, dueMoves, NOBODY } from './due-move.js';
import type { Move } from './moves.js';

const at = (instant: string): Date => new Date(instant);
const SENT = at('2026-11-21T12:00:00Z');

/** What a sandbox creator will do, if nothing more is said: nothing. */
const A_PERSONA: Persona = {
  answer: null,
  answer_at: null,
  books_at_once: false,
  booking_at: null,
  late_at: null,
  date: null,
};

/** A line on 5 December, to be booked from 1 to 20 December, and its proposal. */
const aChain = (proposal: Partial<ProposalRow> = {}, line: Partial<OfferLine> = {}): Chain => {
  const order = anOrder({ lines: [aSignedLine({ scheduled_date: '2026-12-05' })] });
  const chain = begun(order);
  return { line: { ...chain.line, ...line }, proposal: { ...chain.proposal, persona: A_PERSONA, ...proposal } };
};
const moveOf = (chain: Chain, kind: DueKind, instant: string): Move =>
  dueMove(chain, { kind, at: at(instant) }, null, () => 'proposal-2');
const withPersona = (persona: Partial<Persona>, line: Partial<OfferLine> = {}): Chain =>
  aChain({ persona: { ...A_PERSONA, ...persona } }, line);
/** How a move leaves a chain: its proposal's state, its day if it is booked, and what its persona will still do. */
const outcomeOf = ({ chain: { line, proposal }, emits }: Move): string => {
  const day = line.booked ? ` on ${line.scheduled_date}` : '';
  const later = proposal.persona?.booking_at == null ? '' : `, to book at ${proposal.persona.booking_at.toISOString()}`;
  return `${proposal.state}${day}${later}${emits ? '' : ', unseen'}`;
};

/** docs/domain/orders.md#sandbox-creators. */
describe('a sandbox creator', () => {
  it.each<[outcome: string, what: string, persona: Partial<Persona>, now: string]>([
    ['declined', 'declines', { answer: 'decline' }, '2026-11-22T00:00:00Z'],
    ['accepted on 2026-12-05', 'accepts with a day', { answer: 'accept', books_at_once: true }, '2026-11-22T00:00:00Z'],
    [
      'accepted, to book at 2026-11-22T12:00:00.000Z',
      'accepts and books 12 hours later',
      { answer: 'accept' },
      '2026-11-22T00:00:00Z',
    ],
    [
      'accepted, to book at 2026-12-20T23:59:59.999Z',
      'who accepts a moment before the last 12 hours books later',
      { answer: 'accept' },
      '2026-12-20T11:59:59.999Z',
    ],
    [
      'accepted on 2026-12-20',
      'who accepts 12 hours before the end of the window books at once',
      { answer: 'accept' },
      '2026-12-20T12:00:00Z',
    ],
    ['sent, unseen', 'who would accept after the window does nothing', { answer: 'accept' }, '2026-12-21T00:00:00Z'],
    [
      'accepted on 2026-12-07',
      'books the day it was asked for',
      { answer: 'accept', books_at_once: true, date: '2026-12-07' },
      '2026-11-22T00:00:00Z',
    ],
    [
      'accepted on 2026-12-08',
      'books today when the day it was asked for has passed',
      { answer: 'accept', books_at_once: true, date: '2026-12-07' },
      '2026-12-08T00:00:00Z',
    ],
  ])('%s: %s', (outcome, _what, persona, now) => {
    expect(outcomeOf(moveOf(withPersona(persona), 'proposal_answer', now))).toBe(outcome);
  });

  it('who is none declines, and one without a choice of day books the line’s', () => {
    expect(outcomeOf(moveOf(aChain({ persona: null }), 'proposal_answer', '2026-11-22T00:00:00Z'))).toBe('declined');
    expect(outcomeOf(moveOf(aChain({ persona: null }), 'proposal_booking', '2026-11-22T00:00:00Z'))).toBe(
      'sent on 2026-12-05',
    );
  });

  it.each<[outcome: string, when: string, line: Partial<OfferLine>, now: string]>([
    ['accepted on 2026-12-05', 'in time for its day', {}, '2026-12-05T23:59:59.999Z'],
    ['accepted on 2026-12-20', 'on the last day of the window', {}, '2026-12-20T23:59:59.999Z'],
    ['no_reply, unseen', 'when no day is left to book', {}, '2026-12-21T00:00:00Z'],
    ['no_reply, unseen', 'when the line was offered to another', { attempts: 2 }, '2026-11-23T16:00:00Z'],
    ['no_reply, unseen', 'when the line is cancelled', { cancelled: true }, '2026-11-23T16:00:00Z'],
  ])('is late: %s %s', (outcome, _when, line, now) => {
    const late = aChain({ state: 'no_reply', persona: { ...A_PERSONA, late_at: at(now) } }, line);
    const move = moveOf(late, 'proposal_late', now);
    expect(outcomeOf(move)).toBe(outcome);
    expect(move.chain.proposal.persona).toEqual(A_PERSONA);
  });

  it('who books later books the day that is due, and the last one of the window once that is over', () => {
    const accepted = aChain({ state: 'accepted', persona: { ...A_PERSONA, booking_at: SENT } });
    expect(outcomeOf(moveOf(accepted, 'proposal_booking', '2026-12-01T00:00:00Z'))).toBe('accepted on 2026-12-05');
    expect(outcomeOf(moveOf(accepted, 'proposal_booking', '2026-12-21T00:00:00Z'))).toBe('accepted on 2026-12-20');
  });
});

/** docs/domain/orders.md#clock-jobs. */
describe('what falls due at one instant', () => {
  const newId = (): string => 'proposal-2';
  const EXPIRES = at('2026-11-23T12:00:00Z');
  const silent = (line: Partial<OfferLine> = {}): Chain => aChain({ persona: null }, line);

  it('is nothing before the first of it', () => {
    expect(dueMoves(silent(), at('2026-11-23T11:59:59.999Z'), newId)).toBeNull();
  });

  it('is an expiry, and the search that follows it', () => {
    const due = dueMoves(silent(), at('2026-12-01T00:00:00Z'), newId);
    expect(due).toMatchObject({
      moves: [{ chain: { proposal: { state: 'no_reply', updated_at: EXPIRES } } }],
      search: { kind: 'replacement_search', at: EXPIRES },
    });
    expect(due?.chain).toEqual(due?.moves.at(-1)?.chain);
  });

  it('is an expiry and a search that finds nobody, once the search is over', () => {
    const due = dueMoves(silent({ launch_window_end: '2026-11-24' }), at('2026-12-01T00:00:00Z'), newId);
    expect(due?.moves.map(({ chain }) => chain.proposal.state)).toEqual(['no_reply', 'unfilled']);
    expect(due?.search).toBeNull();
    expect(due?.chain).toEqual(due?.moves.at(-1)?.chain);
  });

  it('is the end of a line whose window was over before, with its search', () => {
    const due = dueMoves(silent({ launch_window_end: '2026-11-22' }), at('2026-12-01T00:00:00Z'), newId);
    expect(due?.chain.line).toMatchObject({ cancelled: true, cancel_cause: 'unfilled' });
    expect(due?.moves.map(({ chain: { line, proposal } }) => [proposal.state, line.cancelled])).toEqual([
      ['no_reply', false],
      ['unfilled', false],
      ['unfilled', true],
    ]);
    const [first, ...rest] = due?.moves ?? [];
    if (first === undefined) throw new Error('an expiry is due');
    expect(asOneMove([first, ...rest])).toEqual({ ...rest.at(-1), window: first.window });
  });

  it('is saved as one move: the last one, within the window of the first that has one', () => {
    const due = dueMoves(silent({ launch_window_end: '2026-11-24' }), at('2026-12-01T00:00:00Z'), newId);
    const [first, ...rest] = due?.moves ?? [];
    if (first === undefined) throw new Error('an expiry is due');
    expect(rest.map(({ window }) => window)).toEqual([null]);
    expect(asOneMove([first, ...rest])).toEqual({ ...rest.at(-1), window: { over: EXPIRES } });
    expect(asOneMove([first])).toEqual(first);
    const [searched] = rest;
    if (searched === undefined) throw new Error('a search is due');
    expect(asOneMove([searched]).window).toBeNull();
    expect(asOneMove([searched, first]).window).toEqual({ over: EXPIRES });
  });
});

describe('a search that fails', () => {
  it('finds nobody, and asks no brand', () => {
    expect(NOBODY).toEqual({ replacements: 'auto', candidates: [] });
  });

  it('of a line whose brand wants to be asked names the attempt that it ends', () => {
    const chain = aChain({ state: 'declined', search: { next_at: SENT, choose_until: null, candidates: [] } });
    const [asked, taken] = (['ask', 'auto'] as const).map((replacements) =>
      dueMove(
        chain,
        { kind: 'replacement_search', at: SENT },
        { replacements, candidates: [aReplacement()] },
        () => 'b',
      ),
    );
    expect(asked?.replaced).toBeUndefined();
    expect(taken).toMatchObject({ replaced: { _id: 'proposal-1' }, chain: { proposal: { _id: 'b', attempt: 2 } } });
  });
});
