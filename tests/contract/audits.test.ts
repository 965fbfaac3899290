import { wrongInBooks } from '@cds/billing/testing';
import { describe, expect, it } from '@jest/globals';
import { linesOweWhatIsCredited, payoutsAndCreditsFit } from '../support/audits/events.js';
import { type Books, type Order, wrongIn } from '../support/audits/orders.js';

const line = { id: 'l1', channel: 'x', format: null, unit_id: 'u', scheduled_date: '2027-01-01', price_cents: 100 };
const order: Order = {
  _id: 'o',
  ws: 'w',
  plan_id: 'p',
  key_id: 'k',
  mandate_version: 1,
  month: '2026-11',
  total_cents: 100,
  signed_at: new Date('2026-11-21T12:00:00.000Z'),
  payment_state: 'paid',
  lines: [{ ...line, line_id: 'l1' }],
};
const entry = (seq: number, kind: string, amount_cents = 0, rail_ref = `${kind}${seq}`) => ({
  ...{ _id: `e${seq}`, ws: 'w', order_id: 'o', seq, kind, amount_cents, rail_ref },
});
const SIGNED = entry(1, 'signed');
const CHARGE = entry(2, 'charge', 100);
const plan = {
  _id: 'p',
  ws: 'w',
  campaign_id: 'c',
  status: 'approved',
  terms_fingerprint: 'nS2LjzL8fjsqoU7W8C8SuZKKe07zc8s_glbWavyudEU',
  currency: 'USD',
  launch_window_start: '2027-01-01',
  launch_window_end: '2027-01-02',
  order: { order_id: 'o', total_cents: 100 },
  lines: [line],
};
const mandate = { max_plan_cents: 100, monthly_cap_cents: 100, channels: ['x'], may_approve: true };
const proof = { line_id: 'l1', price_cents: 100, current_price_cents: 100, on_sale: true };
const verdict = (over: object = {}, budget_cents = 100) => ({
  ...{ _id: 's', kind: 'signed', total_cents: 100, evidence: { budget_cents, lines: [{ ...proof, ...over }] } },
});
const SOUND: Books = {
  orders: [order],
  ledger: [SIGNED, CHARGE],
  plans: [plan],
  campaigns: [{ _id: 'c', ws: 'w' }],
  mandates: [{ key_id: 'k', version: 1, mandate }],
  verdicts: [verdict()],
};
const found = (books: Books): string[] => [...wrongInBooks(books), ...wrongIn(books)];
const under = (over: object) => ({ mandates: [{ key_id: 'k', version: 1, mandate: { ...mandate, ...over } }] });

describe('the audit of orders', () => {
  it('finds nothing wrong in sound books', () => {
    expect(found(SOUND)).toEqual([]);
  });

  it.each<[string, Partial<Books>, string]>([
    ['half a cent', { orders: [{ ...order, total_cents: 100.5 }] }, 'I20'],
    ['a total that is not the sum', { orders: [{ ...order, lines: [] }] }, 'I20'],
    ['a mandate that does not exist', { mandates: [] }, 'I13'],
    ['a plan above the largest one', under({ max_plan_cents: 99 }), 'I13'],
    ['a channel outside the mandate', under({ channels: ['y'] }), 'I13'],
    ['a key that may not approve', under({ may_approve: false }), 'I13'],
    ['a month above its cap', under({ monthly_cap_cents: 99 }), 'I12'],
    ['a family above its parent’s cap', { orders: [{ ...order, parent_key_id: 'parent' }] }, 'I12'],
    ['an edit after the signature', { plans: [{ ...plan, lines: [{ ...line, price_cents: 99 }] }] }, 'I16'],
    ['lines that the order does not have', { plans: [{ ...plan, lines: [{ ...line, unit_id: 'v' }] }] }, 'I28'],
    ['a campaign that is gone', { campaigns: [] }, 'I57'],
    ['two totals', { plans: [{ ...plan, order: { order_id: 'o', total_cents: 99 } }] }, 'I59'],
    ['a price that had moved', { verdicts: [verdict({ current_price_cents: 101 })] }, 'I14'],
    ['a line off sale', { verdicts: [verdict({ on_sale: false })] }, 'I14'],
    ['a signature above the budget', { verdicts: [verdict({}, 99)] }, 'I14'],
    ['an entry that is missing', { ledger: [SIGNED, { ...CHARGE, seq: 3 }] }, 'I23'],
    ['an entry twice', { ledger: [SIGNED, CHARGE, { ...CHARGE, seq: 3 }] }, 'I21'],
    ['two payments', { ledger: [SIGNED, CHARGE, entry(3, 'charge', 100)] }, 'I21'],
    ['another amount', { ledger: [SIGNED, { ...CHARGE, amount_cents: 99 }] }, 'I22'],
    ['an entry of another workspace', { ledger: [SIGNED, { ...CHARGE, ws: 'v' }] }, 'I22'],
    ['more returned than paid', { ledger: [SIGNED, CHARGE, entry(3, 'refund', -101)] }, 'I23'],
    ['a state that its ledger does not say', { orders: [{ ...order, payment_state: 'unpaid' }] }, 'I23'],
    ['a ledger without an order', { orders: [], plans: [], verdicts: [] }, 'I23'],
  ])('finds %s', (_name, broken, id) => {
    expect(found({ ...SOUND, ...broken }).map((sentence) => sentence.split(':')[0])).toContain(id);
  });

  it.each([
    ['unpaid', [SIGNED]],
    ['processing', [SIGNED, entry(2, 'pending')]],
    ['unpaid', [SIGNED, entry(2, 'pending'), entry(3, 'failed')]],
    ['cancelled', [SIGNED, entry(2, 'cancel'), entry(3, 'give_back', 100)]],
    ['partially_refunded', [SIGNED, CHARGE, entry(3, 'refund', -40)]],
    ['refunded', [SIGNED, CHARGE, entry(3, 'refund', -100)]],
  ])('takes %s from the ledger', (payment_state, ledger) => {
    expect(found({ ...SOUND, orders: [{ ...order, payment_state }], ledger })).toEqual([]);
  });
});

describe('the audit of what lines owe', () => {
  const offer = { _id: 'l1', order_id: 'o', price_cents: 100, tried: ['a', 'b'], credits: [] };
  const owing = { ...offer, credits: [{ cause: 'unfilled', amount_cents: 100 }] };
  const made = { line_id: 'l1', cause: 'unfilled', amount_cents: 100 };
  const paid = new Map([['o', 'paid']]);

  it.each([
    ['nothing', offer, []],
    ['a credit that is made', owing, [made]],
    ['less than was owed, when the payment had no more', owing, [{ ...made, amount_cents: 40 }]],
    ['a credit of the team', offer, [{ ...made, cause: 'remedy' }]],
    [
      'a credit in two parts',
      owing,
      [
        { ...made, amount_cents: 40 },
        { ...made, amount_cents: 60 },
      ],
    ],
  ])('finds nothing wrong in %s', (_what, line, credits) => {
    expect(linesOweWhatIsCredited([line], credits, paid)).toEqual([]);
  });

  it.each([
    ['a creator asked twice', { ...offer, tried: ['a', 'a'] }, [], /^I32/],
    [
      'more than the price',
      { ...offer, credits: [{ cause: 'dispute', amount_cents: 101 }] },
      [{ ...made, cause: 'dispute', amount_cents: 101 }],
      /more than its price/,
    ],
    ['a credit that was never made', owing, [], /not made/],
    [
      'a credit for a cancelled line that was never made',
      { ...offer, credits: [{ cause: 'cancelled', amount_cents: 100 }] },
      [],
      /for cancelled that is not made/,
    ],
    [
      'a credit for a cancelled line above what it owes',
      { ...offer, credits: [{ cause: 'cancelled', amount_cents: 60 }] },
      [{ ...made, cause: 'cancelled', amount_cents: 61 }],
      /for cancelled that it does not owe/,
    ],
    ['a credit that nothing owes', offer, [made], /does not owe/],
    ['a credit above what is owed', owing, [{ ...made, amount_cents: 101 }], /does not owe/],
    ['parts above what is owed', owing, [made, { ...made, amount_cents: 1 }], /does not owe/],
  ])('finds %s', (_what, line, credits, message) => {
    expect(linesOweWhatIsCredited([line], credits, paid)).toEqual([expect.stringMatching(message)]);
  });

  it('asks for no credit of an order whose money is returned', () => {
    expect(linesOweWhatIsCredited([owing], [], new Map([['o', 'refunded']]))).toEqual([]);
  });
});

describe('the audit of payouts and credits', () => {
  const proved = { _id: 'l1', price_cents: 100, fill_cents: 80, post: { status: 'completed' } };
  const paidOut = { ...proved, payout: { amount_cents: 80 } };
  const credit = (cause: string, amount_cents: number, state = 'due') => ({
    line_id: 'l1',
    cause,
    amount_cents,
    state,
  });

  it.each([
    ['a line that is paid out and gave back the difference', paidOut, [credit('cheaper', 20)]],
    ['a claim on a proved post, which the operator pays', paidOut, [credit('cheaper', 20), credit('dispute', 80)]],
    ['a line without a post that gave back its price', { ...proved, post: null }, [credit('unfilled', 100)]],
    ['a credit that was given up', paidOut, [credit('dispute', 100), credit('remedy', 100, 'waived')]],
  ])('finds nothing wrong in %s', (_what, line, credits) => {
    expect(payoutsAndCreditsFit([line], credits)).toEqual([]);
  });

  it.each([
    ['credits above the price', proved, [credit('dispute', 60), credit('remedy', 41)], /above its price/],
    ['more given back than was saved', proved, [credit('cheaper', 21)], /more than its replacement saved/],
    ['a payout without a proof', { ...paidOut, post: { status: 'live' } }, [], /without its proof/],
    ['a payout above the fill', { ...paidOut, payout: { amount_cents: 81 } }, [], /above its fill/],
  ])('finds %s', (_what, line, credits, message) => {
    expect(payoutsAndCreditsFit([line], credits)).toEqual([expect.stringMatching(message)]);
  });
});
