import { describe, expect, it } from '@jest/globals';
import type { Credit } from './credit.js';
import type { LedgerEntry } from './order-state.js';
import { dueCredits, isOfPayment, refundRefOf, repayableOf, roomForCredits } from './refund.js';

const entry = (kind: LedgerEntry['kind'], rail_ref: string, amount_cents: number): LedgerEntry => ({
  _id: `${kind}-${rail_ref}`,
  ws: 'ws',
  order_id: 'order',
  seq: 1,
  kind,
  amount_cents,
  rail: 'stripe',
  rail_ref,
  cause: 'a test',
  line_id: null,
  actor: 'op',
  at: new Date('2026-11-21T12:00:00Z'),
});
const SIGNED = entry('signed', 'order', 0);
const CHARGE = entry('charge', 'pi_1', 1_000);
const STRAY = entry('stray_charge', 'pi_2', 400);

const aCredit = (id: string, amount_cents: number, state: Credit['state'] = 'due') => ({
  _id: id,
  ws: 'ws',
  order_id: 'order',
  line_id: 'a',
  cause: 'remedy' as const,
  amount_cents,
  state,
  note: null,
  actor: 'op',
  at: new Date('2026-11-21T12:00:00Z'),
});

describe('what can be repaid of an order (docs/domain/orders.md#refunds)', () => {
  it.each<
    [
      string,
      LedgerEntry[],
      { payment: string; amount_cents: number; stray: boolean }[],
      [payment: string, left: number][],
    ]
  >([
    ['nothing before a payment', [SIGNED], [], []],
    ['the payment', [SIGNED, CHARGE], [], [['pi_1', 1_000]]],
    [
      'what its refunds left',
      [CHARGE, entry('refund', 'pi_1#one', -200), entry('refund', 'pi_1#two', -300)],
      [],
      [['pi_1', 500]],
    ],
    ['what a lost dispute left', [CHARGE, entry('refund', 'pi_1#dispute:dp_1', -900)], [], [['pi_1', 100]]],
    ['what open requests left', [CHARGE], [{ payment: 'pi_1', amount_cents: 999, stray: false }], [['pi_1', 1]]],
    [
      'each payment by itself, oldest first',
      [CHARGE, STRAY, entry('refund', 'pi_1#one', -200), entry('stray_refund', 'pi_2#one', -100)],
      [{ payment: 'pi_2', amount_cents: 50, stray: true }],
      [
        ['pi_1', 800],
        ['pi_2', 250],
      ],
    ],
    [
      'what came back of its refunds',
      [CHARGE, entry('refund', 'pi_1#one', -300), entry('refund', 'pi_1#two', -300)].concat(
        entry('refund_returned', 'pi_1#one', 300),
        entry('refund_returned', 'pi_1#two', 100),
        entry('refund_returned', 'pi_1#two~2', 50),
      ),
      [],
      [['pi_1', 850]],
    ],
    [
      'nothing less for entries that return no money',
      [CHARGE, entry('pending', 'pi_1#one', 0), entry('failed', 'pi_1#x', 7)],
      [],
      [['pi_1', 1_000]],
    ],
    [
      'nothing less for a refund of a payment whose name begins alike',
      [CHARGE, entry('stray_charge', 'pi_11', 400), entry('stray_refund', 'pi_11#one', -400)],
      [],
      [
        ['pi_1', 1_000],
        ['pi_11', 0],
      ],
    ],
  ])('is %s', (_name, entries, open, left) => {
    expect(repayableOf(entries, open).map((one) => [one.payment, one.left])).toEqual(left);
  });

  it('tells a payment of the order from money that arrived beyond it', () => {
    expect(repayableOf([CHARGE, STRAY], []).map(({ stray }) => stray)).toEqual([false, true]);
  });

  it('is booked under a reference of its payment', () => {
    const ref = refundRefOf({ payment: 'pi_1', _id: 'r' });
    expect(isOfPayment({ rail_ref: ref }, 'pi_1')).toBe(true);
    expect(isOfPayment({ rail_ref: ref }, 'pi')).toBe(false);
  });
});

describe('the credits that wait to be paid out', () => {
  it.each<[string, Credit[], { credit_id: string | null }[], number]>([
    ['are none', [], [], 0],
    ['are those that are due', [aCredit('a', 100), aCredit('b', 30)], [], 130],
    ['leave out what is paid out or given up', [aCredit('a', 100, 'refunded'), aCredit('b', 30, 'waived')], [], 0],
    ['leave out what an open repayment pays out', [aCredit('a', 100), aCredit('b', 30)], [{ credit_id: 'a' }], 30],
    ['stay when an open repayment is for none', [aCredit('a', 100)], [{ credit_id: null }], 100],
  ])('%s', (_name, credits, openRefunds, cents) => {
    expect(dueCredits({ credits, openRefunds })).toBe(cents);
  });
});

describe('the room for new credits in the payment of an order', () => {
  const asked = (payment: string, amount_cents: number, credit_id: string | null) => ({
    stray: false,
    payment,
    amount_cents,
    credit_id,
  });
  it.each<[string, LedgerEntry[], Credit[], ReturnType<typeof asked>[], number]>([
    ['none before a payment', [SIGNED], [], [], 0],
    ['the payment', [CHARGE], [], [], 1_000],
    ['nothing of money beyond the total', [CHARGE, STRAY], [], [], 1_000],
    ['less what was repaid', [CHARGE, entry('refund', 'pi_1#one', -200)], [], [], 800],
    ['less what is due', [CHARGE], [aCredit('a', 100), aCredit('b', 30)], [], 870],
    [
      'less an open repayment and the credit that it pays, once',
      [CHARGE],
      [aCredit('a', 100)],
      [asked('pi_1', 100, 'a')],
      900,
    ],
    [
      'less an open repayment of no credit, and what is due',
      [CHARGE],
      [aCredit('a', 100)],
      [asked('pi_1', 50, null)],
      850,
    ],
  ])('is %s', (_name, entries, credits, openRefunds, cents) => {
    expect(roomForCredits(entries, credits, openRefunds)).toBe(cents);
  });
});
