import type { PayoutState } from '@cds/contracts';
import { describe, expect, it } from '@jest/globals';
import { anOrder } from '../test/builders.js';
import type { OfferLine } from './chain.js';
import { followOrder } from './follow-order.js';
import { paidOut, payoutMost, payoutProblem, payoutState, toCreator } from './payout.js';

const PAYOUT = { amount_cents: 60_000, reference: 'transfer 1', at: new Date('2027-01-04T10:00:00Z') };
const order = anOrder();
/** A line of $600. */
const aLine = (over: Partial<OfferLine> = {}): OfferLine => {
  const [signed] = order.lines;
  const chain = signed === undefined ? null : followOrder(order, signed, null, () => 'proposal');
  if (chain === null) throw new Error('the order has a line');
  return { ...chain.line, ...over };
};
const PROVED: Partial<OfferLine> = { post: { version: 3, status: 'completed' } };

/** docs/domain/orders.md#payouts. */
describe('the payout of a creator', () => {
  it.each<[state: PayoutState, what: string, over: Partial<OfferLine>]>([
    ['not_due', 'without a post', {}],
    ['not_due', 'while the post is live', { post: { version: 2, status: 'live' } }],
    ['due', 'once the post is proved', PROVED],
    ['due', 'of a line that says it is unpaid', { ...PROVED, payout: null }],
    ['paid', 'once it is recorded', { ...PROVED, payout: PAYOUT }],
  ])('is %s %s', (state, _what, over) => {
    expect(payoutState(aLine(over))).toBe(state);
  });

  it('is at most the price at which the line is filled', () => {
    expect(payoutMost(aLine())).toBe(60_000);
    expect(payoutMost(aLine({ fill_cents: null }))).toBe(60_000);
    expect(payoutMost(aLine({ fill_cents: 50_000 }))).toBe(50_000);
    expect(payoutMost(aLine({ fill_cents: 0 }))).toBe(0);
  });

  it.each<[problem: ReturnType<typeof payoutProblem>, cents: number, over: Partial<OfferLine>]>([
    [null, 60_000, PROVED],
    ['too_much', 60_001, PROVED],
    [null, 1, PROVED],
    ['not_due', 1, {}],
    ['paid', 1, { ...PROVED, payout: PAYOUT }],
  ])('has the problem %s at %i cents', (problem, cents, over) => {
    expect(payoutProblem(aLine(over), cents)).toBe(problem);
  });

  it('is recorded on its line as one write', () => {
    const line = aLine(PROVED);
    expect(paidOut(line, PAYOUT)).toEqual({ ...line, payout: PAYOUT, rev: line.rev + 1 });
  });
});

describe('what a creator is asked to deliver (docs/domain/plans.md#line-texts)', () => {
  it.each([
    ['One quote of your launch post, with #ad', 'One quote of the brand’s launch post, with #ad'],
    ['One quote of the post you name, with #ad', 'One quote of the post that the brand names, with #ad'],
    ['One post, with #ad', 'One post, with #ad'],
  ])('reads "%s" from the creator’s side', (deliverable, text) => {
    expect(toCreator(deliverable)).toBe(text);
  });
});
