import { describe, expect, it } from '@jest/globals';
import { anOrder, aReplacement, aSignedLine, dueMoveAt } from '../test/builders.js';
import type { Chain } from './chain.js';
import { dueFactsOf } from './due.js';
import { followOrder } from './follow-order.js';
import { accept, awaitsAnswer, bookingDay, decline, mayBook, playSilence, withdraw } from './moves.js';

const aChain = (sandbox = true): Chain => {
  const order = anOrder({ sandbox, lines: [aSignedLine({ scheduled_date: '2026-12-05' })] });
  const [line] = order.lines;
  const chain = line === undefined ? null : followOrder(order, line, null, () => 'proposal-1');
  if (chain?.proposal == null) throw new Error('a paid order begins a chain');
  return { line: chain.line, proposal: chain.proposal };
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

describe('a proposal', () => {
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
