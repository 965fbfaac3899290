import { type CommandRow, type Records, wrongRecords } from '@cds/service/testing';
import { describe, expect, it } from '@jest/globals';
import { type AuditedKey, actsOfKeys } from '../support/audits/entries.js';
import { endedOrdersHaveNoOffer, linesOweWhatIsCredited, payoutsAndCreditsFit } from '../support/audits/events.js';
import {
  type CampaignEvent,
  campaignsOf,
  type FeedRow,
  feedIsInOrder,
  feedIsWhole,
  type MandatedKey,
  mandatesOf,
} from '../support/audits/feed.js';
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
const under = (over: object) => ({ mandates: [{ key_id: 'k', version: 1, mandate: { ...mandate, ...over } }] });

describe('the audit of orders', () => {
  it('finds nothing wrong in sound books', () => {
    expect(wrongIn(SOUND)).toEqual([]);
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
    expect(wrongIn({ ...SOUND, ...broken }).map((sentence) => sentence.split(':')[0])).toContain(id);
  });

  it.each([
    ['unpaid', [SIGNED]],
    ['processing', [SIGNED, entry(2, 'pending')]],
    ['unpaid', [SIGNED, entry(2, 'pending'), entry(3, 'failed')]],
    ['cancelled', [SIGNED, entry(2, 'cancel'), entry(3, 'give_back', 100)]],
    ['partially_refunded', [SIGNED, CHARGE, entry(3, 'refund', -40)]],
    ['refunded', [SIGNED, CHARGE, entry(3, 'refund', -100)]],
  ])('takes %s from the ledger', (payment_state, ledger) => {
    expect(wrongIn({ ...SOUND, orders: [{ ...order, payment_state }], ledger })).toEqual([]);
  });
});

describe('the audit of the feed', () => {
  const event = (seq: number, version: number, id = 'p'): FeedRow => ({
    ...{ _id: `${id}${version}`, ws: 'w', seq, kind: 'plan.changed', aggregate: { type: 'plan', id }, version },
  });
  const sound = [event(4, 1), event(5, 1, 'q'), event(6, 2)];

  it('finds nothing wrong in a feed that is in order', () => {
    expect(feedIsInOrder(sound, [{ _id: 'w', seq: 6 }])).toEqual([]);
  });

  it.each<[string, FeedRow[], number]>([
    ['a place that is missing', [event(4, 1), event(6, 2)], 6],
    ['an event twice', [event(4, 1), event(5, 1)], 5],
    ['an older version after a newer one', [event(4, 2), event(5, 1)], 5],
    ['a counter that goes another way', sound, 7],
  ])('finds %s', (_name, rows, seq) => {
    expect(feedIsInOrder(rows, [{ _id: 'w', seq }])).toHaveLength(1);
  });

  /** Whether the feed may end at a stored version; 0 means without an event. */
  const mayEndAt = (version: number, stored: Parameters<typeof feedIsWhole>[1]): boolean => {
    const heads = stored.map(({ ws, type, id }) => ({ _id: `${ws}|${type}|${id}`, ws, version }));
    return feedIsWhole(version === 0 ? [] : heads, stored).length === 0;
  };

  it.each([
    ['the newest version', 3, true],
    ['an older version', 2, false],
    ['no version', 0, false],
    ['a version that does not exist', 4, false],
  ])('of an aggregate at version 3 it may have %s: version %i, %s', (_name, version, fine) => {
    expect(mayEndAt(version, [{ ws: 'w', type: 'plan', id: 'p', least: 3, most: 3 }])).toBe(fine);
  });

  const changed: CampaignEvent = { _id: 'c', ws: 'w', version: 3, deleted: false, at: new Date(2) };
  const campaigns = [{ _id: 'c', ws: 'w', rev: 5 }];

  it.each([
    ['its last event', 3, true],
    ['one that was published again after edits of its plan', 5, true],
    ['the event before the last', 2, false],
    ['no event', 0, false],
    ['a version that does not exist', 6, false],
  ])('of a campaign at version 5 with its last event at 3 it may have %s: version %i, %s', (_name, version, fine) => {
    expect(mayEndAt(version, campaignsOf(campaigns, [changed], []))).toBe(fine);
  });

  it('of a campaign whose events have left the outbox it has one', () => {
    expect([1, 0].map((version) => mayEndAt(version, campaignsOf(campaigns, [], [])))).toEqual([true, false]);
  });

  it('has the deletion of a campaign, unless a reset came after it', () => {
    const deleted = { ...changed, deleted: true };
    expect([3, 2].map((version) => mayEndAt(version, campaignsOf([], [deleted], [])))).toEqual([true, false]);
    const reset = (at: number) => [{ _id: 'w', seq: 9, reset_at: new Date(at) }];
    expect([1, 2].map((at) => campaignsOf([], [deleted], reset(at)).length)).toEqual([1, 0]);
    expect(campaignsOf([], [changed], [])).toEqual([]);
  });

  const key = (over: Partial<MandatedKey> = {}): MandatedKey => ({
    ...{ key_id: 'k', revoked_at: null, parent: null, ...over },
  });
  const revoked_at = new Date(0);
  const parent = key({ key_id: 'p', revoked_at });

  it.each<[string, object | null, MandatedKey[], number[]]>([
    ['a key', {}, [key()], [2]],
    ['a key without one now', null, [key()], [2]],
    ['a revoked key', {}, [key({ revoked_at })], [3]],
    ['a revoked key without one', null, [key({ revoked_at })], [2]],
    ['a child that was revoked', {}, [key({ key_id: 'p' }), key({ revoked_at, parent })], [3]],
    ['a child that may have ended with its parent', {}, [parent, key({ revoked_at, parent })], [2, 3]],
  ])('of the mandate of %s it has the last event', (_name, mandate, keys, ends) => {
    const versions = [1, 2].map((version) => ({
      ws: 'w',
      key_id: 'k',
      version,
      mandate: version === 2 ? mandate : {},
    }));
    const fine = [0, 1, 2, 3, 4].filter((version) => mayEndAt(version, mandatesOf(versions, keys)));
    expect(fine).toEqual(ends);
  });

  it.each([
    ['a child', key({ parent }), [2]],
    ['a revoked child', key({ revoked_at, parent: key({ key_id: 'p' }) }), [3]],
  ])('of the mandate of %s that was said again it has that event, or the end after it', (_name, child, ends) => {
    const versions = [{ ws: 'w', key_id: 'k', version: 1, mandate: {}, said_again: true as const }];
    expect([1, 2, 3, 4].filter((version) => mayEndAt(version, mandatesOf(versions, [child])))).toEqual(ends);
  });
});

const created_at = new Date('2026-11-21T12:00:00.000Z');
const days = (count: number) => new Date(created_at.getTime() + count * 86_400_000);
const row = (over: Partial<CommandRow> = {}, error?: object): CommandRow => ({
  _id: 'c',
  op: 'plan_add_creator',
  fp: 'r1:x',
  status: 201,
  body: { buffer: Buffer.from(JSON.stringify(error ?? {})) },
  created_at,
  expires_at: days(7),
  ...over,
});
const refused = (details: object) => row({ status: 403 }, { code: 'mandate_refused', details });
const FIGURES = { limit_cents: 100, spent_cents: 60, requested_cents: 50, over_by_cents: 10 };

describe('the audit of stored answers', () => {
  const wrong = (...rows: CommandRow[]): string[] =>
    rows.flatMap((one) => wrongRecords([{ service: 'planning', rows: [one] }]));

  it('finds nothing wrong in sound records', () => {
    expect(wrong(row(), refused(FIGURES), refused({ reason: 'no_mandate' }))).toEqual([]);
    expect(
      wrong(row({ op: 'approve_plan', expires_at: days(30) }), row({ status: 409 }), row({ status: 422 })),
    ).toEqual([]);
  });

  it('finds a key with two requests', () => {
    const both: Records[] = ['planning', 'billing'].map((service) => ({ service, rows: [row()] }));
    expect(wrongRecords(both)).toEqual(['I03: command c is recorded by planning and billing']);
  });

  it.each([
    ['a stored 404', row({ status: 404 }), 'I08'],
    ['a stored 503', row({ status: 503 }), 'I08'],
    ['a stored refusal for a scope', row({ status: 403 }, { code: 'forbidden' }), 'I08'],
    ['money that is kept a week', row({ op: 'approve_plan' }), 'I09'],
    ['an edit that is kept a month', row({ expires_at: days(30) }), 'I09'],
    ['an overage that does not add up', refused({ ...FIGURES, over_by_cents: 11 }), 'I18'],
    ['an overage without its figures', refused({ over_by_cents: 11 }), 'I18'],
  ])('finds %s', (_name, one, id) => {
    expect(wrong(one).map((sentence) => sentence.split(':')[0])).toEqual([id]);
  });
});

describe('the audit of events', () => {
  const offer = { _id: 'l1', order_id: 'o', cancelled: true };
  const found = (payment_state: string, cancelled: boolean, open: boolean): string[] =>
    endedOrdersHaveNoOffer(
      [{ _id: 'o', payment_state }],
      [{ ...offer, cancelled }],
      [{ line_id: 'l1', attempt: 1, open }],
    );

  it.each([
    ['paid', false, true, 0],
    ['refunded', true, false, 0],
    ['cancelled', true, false, 0],
    ['refunded', false, false, 1],
    ['cancelled', true, true, 1],
  ])('of a %s order with its line cancelled %s and its proposal open %s finds %i', (state, cancelled, open, count) => {
    const sentences = found(state, cancelled, open);
    expect(sentences).toHaveLength(count);
    for (const sentence of sentences) expect(sentence).toMatch(/^I35: line l1 of order o/);
  });
});

describe('the audit of entries', () => {
  const key = (key_id: string, over: Partial<AuditedKey> = {}): AuditedKey => ({
    ...{ _id: key_id, ws: 'w', key_id, revoked_at: null, parent: null },
    ...over,
  });
  const revoked_at = new Date(0);

  it('asks for one of each key, and of each version of a mandate by its cause', () => {
    expect(actsOfKeys([key('k')], [{ ws: 'w', key_id: 'k', cause: 'set' }])).toEqual([
      'w key.made k',
      'w mandate.set k',
    ]);
  });

  it('asks for one of each revoked key, but for a child that ended with its parent', () => {
    const parent = { key_id: 'p' };
    const revoked = (keys: AuditedKey[]) => actsOfKeys(keys, []).filter((act) => act.includes('key.revoked'));
    expect(revoked([key('p'), key('c', { parent, revoked_at })])).toEqual(['w key.revoked c']);
    expect(revoked([key('p', { revoked_at }), key('c', { parent, revoked_at })])).toEqual(['w key.revoked p']);
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
