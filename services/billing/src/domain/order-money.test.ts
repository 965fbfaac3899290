import type { PaymentState } from '@cds/contracts';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { AT, aCredit, anEntry, LINES } from '../test/books.js';
import type { Credit } from './credit.js';
import { moneyOf } from './order-money.js';
import { type LedgerEntry, type LedgerKind, ledgerSum, stateOf } from './order-state.js';

const entry = (kind: LedgerKind, cents: number): LedgerEntry => anEntry(kind, '', cents);
const CHARGE = entry('charge', 1_000);
const refund = (cents: number): LedgerEntry => entry('refund', -cents);
const credit = (line_id: string, cents: number, state: Credit['state'] = 'due'): Credit =>
  aCredit(line_id, cents, { state });
const order = (payment_state: PaymentState, paid_at: Date | null = AT) => ({ payment_state, paid_at, lines: LINES });

/** docs/domain/orders.md#orders-for-brands. */
describe('the money of an order', () => {
  it.each<[money: string, state: PaymentState, paid_at: Date | null]>([
    ['awaiting_payment', 'unpaid', null],
    ['awaiting_payment', 'processing', null],
    ['given_back', 'cancelled', null],
    ['refunded', 'refunded', AT],
  ])('is %s on every line while it holds none: %s', (money, state, paid_at) => {
    expect(moneyOf(order(state, paid_at), [], []).lines).toEqual([
      { line_id: 'a', money, committed: 0 },
      { line_id: 'b', money, committed: 0 },
    ]);
  });

  it.each<[what: string, state: PaymentState, entries: LedgerEntry[], Credit[], lines: string[], unused: number]>([
    ['pays for its lines', 'paid', [CHARGE], [], ['committed 700', 'committed 300'], 0],
    ['owes what a line credits, in full', 'paid', [CHARGE], [credit('a', 700)], ['credited 0', 'committed 300'], 700],
    ['owes what a line credits, in part', 'paid', [CHARGE], [credit('b', 1)], ['committed 700', 'credited 299'], 1],
    [
      'owes nothing of a credit that was given up',
      'paid',
      [CHARGE],
      [credit('a', 700, 'waived')],
      ['committed 700', 'committed 300'],
      0,
    ],
    [
      'was repaid for a credit that is refunded',
      'partially_refunded',
      [CHARGE, refund(200)],
      [credit('a', 200, 'refunded')],
      ['refunded 500', 'committed 300'],
      0,
    ],
    [
      'was repaid of the last line first by a refund that names none',
      'partially_refunded',
      [CHARGE, refund(100)],
      [],
      ['committed 700', 'refunded 200'],
      0,
    ],
    [
      'was repaid of the first line once nothing is left of the last',
      'partially_refunded',
      [CHARGE, refund(301)],
      [],
      ['refunded 699', 'refunded 0'],
      0,
    ],
    [
      'keeps what is due free beside a refund that names no line',
      'partially_refunded',
      [CHARGE, refund(100)],
      [credit('a', 200)],
      ['credited 500', 'refunded 200'],
      200,
    ],
    [
      'commits nothing once more is due than is left',
      'partially_refunded',
      [CHARGE, refund(900)],
      [credit('a', 200)],
      ['credited 0', 'refunded 0'],
      100,
    ],
    [
      'is as in the example of docs/domain/orders.md, in units of a hundred cents',
      'cancelled',
      [CHARGE, refund(300), entry('stray_charge', 1_000)],
      [credit('a', 500), credit('b', 300, 'refunded')],
      ['credited 200', 'refunded 0'],
      500,
    ],
    [
      'stays with lines of a cancelled order whose posts are live',
      'cancelled',
      [CHARGE],
      [credit('b', 300)],
      ['committed 700', 'credited 0'],
      300,
    ],
  ])('%s', (_what, state, entries, credits, lines, unused) => {
    const money = moneyOf(order(state), entries, credits);
    expect(money.lines.map((line) => `${line.money} ${line.committed}`)).toEqual(lines);
    expect(money.committed).toBe(money.lines.reduce((sum, { committed }) => sum + committed, 0));
    expect(money.unused).toBe(unused);
    const refunded = money.refunds.reduce((sum, one) => sum - one.amount_cents, 0);
    expect(money.received).toBe(refunded + money.committed + money.unused);
  });

  it('has one place for every cent, whatever was paid, refunded and credited', () => {
    const part = fc.integer({ min: 1, max: 1_000 });
    const credits = fc.array(
      fc
        .tuple(
          fc.constantFrom('a', 'b'),
          fc.integer({ min: 1, max: 200 }),
          fc.constantFrom<Credit['state']>('due', 'refunded', 'waived'),
        )
        .map((drawn) => credit(...drawn)),
      { maxLength: 2 },
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 4 }), credits, fc.boolean(), (parts, drawn, isCancelled) => {
        const due = drawn.reduce((sum, one) => (one.state === 'due' ? sum + one.amount_cents : sum), 0);
        let left = 1_000 - due;
        const entries = [CHARGE, ...(isCancelled ? [entry('cancel', 0)] : [])];
        for (const one of parts) {
          const cents = Math.min(one, left);
          left -= cents;
          if (cents > 0) entries.push(refund(cents));
        }
        const money = moneyOf(order(stateOf(entries)), entries, drawn);
        const refunded = money.refunds.reduce((sum, one) => sum - one.amount_cents, 0);
        expect(money.received).toBe(refunded + money.committed + money.unused);
        expect(money.received - refunded + money.stray).toBe(ledgerSum(entries));
        expect(money.committed).toBe(money.lines.reduce((sum, { committed }) => sum + committed, 0));
        expect(money.unused).toBeGreaterThanOrEqual(due);
        for (const [at, { committed }] of money.lines.entries()) {
          expect(committed).toBeGreaterThanOrEqual(0);
          expect(committed).toBeLessThanOrEqual(LINES[at]?.price_cents ?? 0);
        }
      }),
    );
  });

  it('counts what arrived twice whole, whatever went back twice of another payment', () => {
    const of = (rail_ref: string, one: LedgerEntry) => ({ ...one, rail_ref });
    const entries = [
      of('pi_1', CHARGE),
      of('pi_2', entry('stray_charge', 400)),
      of('pi_1#one', refund(1_000)),
      of('pi_1#two', entry('stray_refund', -300)),
      of('pi_2#one', entry('stray_refund', -150)),
    ];
    expect(moneyOf(order('refunded'), entries, []).stray).toBe(250);
  });

  it('counts what arrived beyond the total apart, without what was returned of it', () => {
    const strays = [entry('stray_charge', 400), entry('stray_refund', -150)];
    const money = moneyOf(order('paid'), [entry('signed', 0), CHARGE, refund(50), ...strays], []);
    expect(money).toMatchObject({ received: 1_000, stray: 250, refunds: [refund(50)] });
  });
});
