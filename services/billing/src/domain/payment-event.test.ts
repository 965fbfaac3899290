import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { bookingOf } from '../payment/booking.js';
import type { Order } from './order.js';
import type { LedgerEntry } from './order-state.js';
import { stateOf } from './order-state.js';
import { decideEvent, type RailEvent } from './payment-event.js';

const order: Order = {
  _id: 'o',
  ws: 'ws',
  sandbox: true,
  plan_id: 'p',
  campaign: {
    campaign_id: 'c',
    campaign_number: 1,
    campaign: '',
    company: null,
    product: null,
    launch_window_start: '2026-12-01',
    launch_window_end: '2026-12-02',
  },
  key_id: 'k',
  mandate_version: 1,
  terms_version: null,
  version: 1,
  rev: 1,
  payment_state: 'unpaid',
  total_cents: 100,
  currency: 'USD',
  signed_at: new Date(0),
  paid_at: null,
  refunded_at: null,
  cancelled_at: null,
  lines: [],
  rail: 'checkout',
  pay_token: '',
  pay_token_hash: '',
  pay_expires_at: new Date(0),
  month: '2026-11',
  signing_id: 's',
  generation: 1,
  session: { generation: 1, rail_key: 'o:1', state: 'open', url: null, opened_at: new Date(0) },
};
const event = (kind: RailEvent['kind'], over: Partial<RailEvent> = {}): RailEvent => ({
  event_id: `evt_${kind}`,
  kind,
  order_id: 'o',
  workspace: 'ws',
  sandbox: true,
  amount_cents: 100,
  currency: 'USD',
  rail_ref: 'pay_1',
  rail_key: 'o:1',
  cause: kind,
  occurred_at: new Date(0),
  ...over,
});
/** Books events one after another as the worker does; quarantined and parked ones leave the order alone. */
const after = (events: readonly RailEvent[]) => {
  let current = order;
  let entries: LedgerEntry[] = [];
  const parked: RailEvent[] = [];
  for (const one of events) {
    const decision = decideEvent(current, entries, one);
    if (decision.kind === 'park') parked.push(one);
    if (decision.kind !== 'apply') continue;
    const by = { actor: '', rail: 'sandbox', at: one.occurred_at };
    const booking = bookingOf({ order: current, entries, credits: [] }, { entries: decision.entries }, by);
    current = booking.after;
    entries = [...entries, ...booking.entries];
  }
  return { order: current, kinds: entries.map((entry) => entry.kind), entries, parked };
};
const cancelled: LedgerEntry[] = [
  {
    _id: '',
    ws: 'ws',
    order_id: 'o',
    seq: 1,
    kind: 'cancel',
    amount_cents: 0,
    rail: '',
    rail_ref: 'o',
    line_id: null,
    cause: '',
    actor: '',
    at: new Date(0),
  },
];

describe("a rail's events and the order's moves (docs/domain/orders.md#payment-states)", () => {
  it.each([
    ['a charge', [event('charge')], 'paid', ['charge']],
    ['a pending event', [event('pending')], 'processing', ['pending']],
    ['pending, then settled', [event('pending'), event('charge')], 'paid', ['pending', 'charge']],
    ['pending, then failed', [event('pending'), event('failed')], 'unpaid', ['pending', 'failed']],
    ['failed arrives before its pending', [event('failed'), event('pending')], 'unpaid', ['failed']],
    ['a session that expired', [event('closed')], 'unpaid', []],
    ['the same charge twice', [event('charge'), event('charge', { event_id: 'evt_2' })], 'paid', ['charge']],
    ['a second payment', [event('charge'), event('charge', { rail_ref: 'pay_2' })], 'paid', ['charge', 'stray_charge']],
    [
      'a failure of an earlier session',
      [event('pending'), event('failed', { rail_key: 'o:0', rail_ref: 'pay_0' })],
      'processing',
      ['pending'],
    ],
    ['a delay of an earlier session', [event('pending', { rail_key: 'o:0', rail_ref: 'pay_0' })], 'unpaid', []],
    ['money of an earlier session', [event('charge', { rail_key: 'o:0', rail_ref: 'pay_0' })], 'paid', ['charge']],
    ['a late pending event', [event('charge'), event('pending')], 'paid', ['charge']],
    [
      'a part returned',
      [event('charge'), event('refund', { amount_cents: 40 })],
      'partially_refunded',
      ['charge', 'refund'],
    ],
    [
      'cumulative refunds',
      [event('charge'), event('refund', { amount_cents: 40 }), event('refund', { amount_cents: 100 })],
      'refunded',
      ['charge', 'refund', 'refund'],
    ],
    [
      'an older refund that arrives late',
      [event('charge'), event('refund', { amount_cents: 100 }), event('refund', { amount_cents: 40 })],
      'refunded',
      ['charge', 'refund'],
    ],
    ['another amount', [event('charge', { amount_cents: 99 })], 'unpaid', ['stray_charge']],
    ['one cent more', [event('charge', { amount_cents: 101 })], 'unpaid', ['stray_charge']],
    ['another amount that is on its way', [event('pending', { amount_cents: 99 })], 'unpaid', []],
    ['another currency', [event('charge', { currency: 'EUR' })], 'unpaid', []],
    ['more returned than paid', [event('charge'), event('refund', { amount_cents: 101 })], 'paid', ['charge']],
    ['an event without effect', [event('none')], 'unpaid', []],
  ] as const)('%s', (_name, events, state, kinds) => {
    const result = after(events);
    expect(result.order.payment_state).toBe(state);
    expect(result.kinds).toEqual(kinds);
  });

  it('money for a cancelled order is a stray charge and never pays it (B32)', () => {
    expect(decideEvent({ ...order, payment_state: 'cancelled' }, cancelled, event('charge'))).toMatchObject({
      kind: 'apply',
      entries: [{ kind: 'stray_charge', amount_cents: 100 }],
    });
  });

  it.each([
    ['a sandbox rail on a live order', { sandbox: false }, { sandbox: true }],
    ['a live rail on a sandbox order', { sandbox: true }, { sandbox: false }],
  ])('%s is quarantined, whatever it says', (_name, of, said) => {
    for (const kind of ['charge', 'pending', 'failed', 'closed', 'refund', 'none'] as const)
      expect(decideEvent({ ...order, ...of }, [], event(kind, said))).toEqual({ kind: 'quarantine', reason: 'rail' });
  });

  it('a refund before its payment is parked', () => {
    expect(after([event('refund')]).parked).toHaveLength(1);
  });

  it('books the payment once for any deliveries in any order, and the state is the ledger’s (I21, I23)', () => {
    const one = fc.constantFrom(
      event('charge'),
      event('pending'),
      event('failed'),
      event('closed'),
      event('refund', { amount_cents: 30 }),
      event('refund', { amount_cents: 100 }),
    );
    fc.assert(
      fc.property(fc.array(one, { maxLength: 20 }), (events) => {
        const result = after(events);
        expect(result.kinds.filter((kind) => kind === 'charge').length).toBeLessThanOrEqual(1);
        expect(result.order.payment_state).toBe(stateOf(result.entries));
        if (events.some((each) => each.kind === 'charge'))
          expect(['unpaid', 'processing']).not.toContain(result.order.payment_state);
      }),
    );
  });
});

/** docs/domain/orders.md#rail-events. */
describe('what is decided of an event', () => {
  const ledger = (kind: LedgerEntry['kind'], rail_ref: string, amount_cents: number): LedgerEntry => ({
    ...(cancelled[0] as LedgerEntry),
    kind,
    rail_ref,
    amount_cents,
  });
  const CHARGE = ledger('charge', 'pay_1', 100);
  const STRAY = ledger('stray_charge', 'pay_2', 100);
  const CANCEL = ledger('cancel', 'o', 0);
  const NOTHING = { kind: 'apply', entries: [], closesSession: false };
  const PARK = { kind: 'park' };
  const quarantine = (reason: string) => ({ kind: 'quarantine', reason });
  const books = (kind: LedgerEntry['kind'], amount_cents: number, over: object = {}, closesSession = false) => ({
    kind: 'apply',
    entries: [{ kind, amount_cents, rail_ref: 'pay_1', cause: '', ...over }],
    closesSession,
  });
  const said = (kind: RailEvent['kind'], over: Partial<RailEvent> = {}) => event(kind, { cause: '', ...over });
  const lost = (over: Partial<RailEvent> = {}) => said('dispute_lost', { dispute: 'dp_1', rail_key: null, ...over });
  const refund = (amount_cents: number, over: Partial<RailEvent> = {}) =>
    said('refund', { amount_cents, rail_key: null, ...over });
  const disputed = ledger('refund', 'pay_1#dispute:dp_1', -30);
  const refunded = ledger('refund', 'pay_1#40', -40);

  it.each<[string, LedgerEntry[], RailEvent, object]>([
    ['a charge books the total and ends its session', [], said('charge'), books('charge', 100, {}, true)],
    ['a charge of no session ends none', [], said('charge', { rail_key: null }), books('charge', 100)],
    ['a charge of another session ends none', [], said('charge', { rail_key: 'o:0' }), books('charge', 100)],
    ['a charge that is known books nothing', [CHARGE], said('charge'), NOTHING],
    ['a charge that is known as stray books nothing', [STRAY], said('charge', { rail_ref: 'pay_2' }), NOTHING],
    [
      'another payment is stray',
      [CHARGE],
      said('charge', { rail_ref: 'pay_2' }),
      books('stray_charge', 100, { rail_ref: 'pay_2' }, true),
    ],
    ['a payment of a cancelled order is stray', [CANCEL], said('charge'), books('stray_charge', 100, {}, true)],
    ['a pending payment ends no session', [], said('pending'), books('pending', 0)],
    ['a pending payment of no session counts', [], said('pending', { rail_key: null }), books('pending', 0)],
    ['a pending payment that is known books nothing', [ledger('pending', 'pay_1', 0)], said('pending'), NOTHING],
    [
      'a pending payment that is known books nothing, though another failed since',
      [ledger('pending', 'pay_1', 0), ledger('failed', 'pay_0', 0)],
      said('pending'),
      NOTHING,
    ],
    ['a pending payment that is stray books nothing', [ledger('stray_charge', 'pay_1', 100)], said('pending'), NOTHING],
    ['a second payment that is pending books nothing', [ledger('pending', 'pay_0', 0)], said('pending'), NOTHING],
    ['a pending payment of a paid order books nothing', [ledger('charge', 'pay_0', 100)], said('pending'), NOTHING],
    ['a pending payment that failed books nothing', [ledger('failed', 'pay_1', 0)], said('pending'), NOTHING],
    ['a failed payment ends its session', [], said('failed'), books('failed', 0, {}, true)],
    ['a payment that failed before books nothing', [ledger('failed', 'pay_1', 0)], said('failed'), NOTHING],
    ['a failure of a payment that is booked books nothing', [CHARGE], said('failed'), NOTHING],
    ['a failure of a payment that is stray books nothing', [STRAY], said('failed', { rail_ref: 'pay_2' }), NOTHING],
    ['a session that ended is closed', [], said('closed'), { ...NOTHING, closesSession: true }],
    ['another session that ended closes none', [], said('closed', { rail_key: 'o:0' }), NOTHING],
    ['a refund of an unknown payment waits for it', [CHARGE], refund(40, { rail_ref: 'pay_2' }), PARK],
    ['a refund of what only failed waits', [ledger('failed', 'pay_1', 0)], refund(40), PARK],
    ['a refund is booked', [CHARGE], refund(40), books('refund', -40, { rail_ref: 'pay_1#40' })],
    ['a refund is booked to the last cent', [CHARGE], refund(100), books('refund', -100, { rail_ref: 'pay_1#100' })],
    ['a refund of a cent more is wrong', [CHARGE], refund(101), quarantine('amount')],
    ['a refund of nothing books nothing', [CHARGE], refund(0), NOTHING],
    ['a refund adds what is new', [CHARGE, refunded], refund(70), books('refund', -30, { rail_ref: 'pay_1#70' })],
    ['a refund that is known books nothing', [CHARGE, refunded], refund(40), NOTHING],
    [
      'a refund adds nothing for other payments',
      [CHARGE, ledger('stray_refund', 'pay_2#40', -40), ledger('pending', 'pay_1#x', 5)],
      refund(70),
      books('refund', -70, { rail_ref: 'pay_1#70' }),
    ],
    [
      'a refund of stray money is stray',
      [CHARGE, STRAY],
      refund(40, { rail_ref: 'pay_2' }),
      books('stray_refund', -40, { rail_ref: 'pay_2#40' }),
    ],
    [
      'a refund does not count what a dispute took',
      [CHARGE, disputed],
      refund(40),
      books('refund', -40, { rail_ref: 'pay_1#40' }),
    ],
    [
      'a refund is at most what a dispute left',
      [CHARGE, disputed],
      refund(100),
      books('refund', -70, { rail_ref: 'pay_1#100' }),
    ],
    ['a lost dispute of an unknown payment waits for it', [CHARGE], lost({ rail_ref: 'pay_2' }), PARK],
    ['a lost dispute of what only failed waits', [ledger('failed', 'pay_1', 0)], lost(), PARK],
    [
      'a lost dispute takes its amount',
      [CHARGE],
      lost({ amount_cents: 30 }),
      books('refund', -30, { rail_ref: 'pay_1#dispute:dp_1', cause: 'dispute' }),
    ],
    [
      'a lost dispute takes the payment',
      [CHARGE],
      lost(),
      books('refund', -100, { rail_ref: 'pay_1#dispute:dp_1', cause: 'dispute' }),
    ],
    ['a lost dispute of a cent more is wrong', [CHARGE], lost({ amount_cents: 101 }), quarantine('amount')],
    ['a lost dispute that is known books nothing', [CHARGE, disputed], lost({ amount_cents: 30 }), NOTHING],
    [
      'a second dispute takes what the first left',
      [CHARGE, disputed],
      lost({ dispute: 'dp_2' }),
      books('refund', -70, { rail_ref: 'pay_1#dispute:dp_2', cause: 'dispute' }),
    ],
    [
      'a lost dispute takes what a refund left',
      [CHARGE, refunded, ledger('stray_refund', 'pay_2#9', -9), ledger('pending', 'pay_1#x', 5)],
      lost(),
      books('refund', -60, { rail_ref: 'pay_1#dispute:dp_1', cause: 'dispute' }),
    ],
    [
      'a lost dispute of a refunded payment takes nothing',
      [CHARGE, ledger('refund', 'pay_1#100', -100)],
      lost(),
      NOTHING,
    ],
    [
      'a lost dispute without a name is named by its event',
      [CHARGE],
      said('dispute_lost', { event_id: 'evt_9', rail_key: null }),
      books('refund', -100, { rail_ref: 'pay_1#dispute:evt_9', cause: 'dispute' }),
    ],
    [
      'a lost dispute of stray money is stray',
      [CHARGE, STRAY],
      lost({ rail_ref: 'pay_2' }),
      books('stray_refund', -100, { rail_ref: 'pay_2#dispute:dp_1', cause: 'dispute' }),
    ],
    [
      'a payment of another amount that failed ends its session',
      [],
      said('failed', { amount_cents: 99 }),
      books('failed', 0, {}, true),
    ],
    ['a payment of another amount that is pending books nothing', [], said('pending', { amount_cents: 99 }), NOTHING],
    [
      'a session of another amount is closed',
      [],
      said('closed', { amount_cents: 99 }),
      { ...NOTHING, closesSession: true },
    ],
    ['another currency is wrong', [CHARGE], refund(40, { currency: 'EUR' }), quarantine('currency')],
    [
      'a dispute in another currency is wrong too',
      [CHARGE],
      said('dispute_lost', { currency: 'EUR' }),
      quarantine('currency'),
    ],
    [
      'a refund in another currency of a payment that is not booked is nothing',
      [],
      refund(40, { currency: 'EUR' }),
      NOTHING,
    ],
    ['nor is its return', [], said('returned', { currency: 'EUR' }), NOTHING],
    ['nor its dispute', [], said('task', { currency: 'EUR' }), NOTHING],
    ['nor the end of that', [], said('dispute_won', { currency: 'EUR' }), NOTHING],
    ['what fails in another currency is wrong', [], said('failed', { currency: 'EUR' }), quarantine('currency')],
    ['an event without effect may have another currency', [], said('none', { currency: '' }), NOTHING],
  ])('%s', (_name, entries, one, decision) => {
    expect(decideEvent(order, entries, one)).toEqual(decision);
  });

  it('waits for a repayment of ours that is at its rail, with refunds and lost disputes alone', () => {
    const asking = { ...order, refunding: 'refund' };
    expect(decideEvent(asking, [CHARGE], refund(40))).toEqual(PARK);
    expect(decideEvent(asking, [CHARGE], lost())).toEqual(PARK);
    expect(decideEvent(asking, [], said('charge'))).toEqual(books('charge', 100, {}, true));
    expect(decideEvent({ ...order, refunding: null }, [CHARGE], refund(0))).toEqual(NOTHING);
  });

  it('ends no session where there is none', () => {
    const unopened = { ...order, session: null };
    expect(decideEvent(unopened, [], said('charge', { rail_key: null }))).toEqual(books('charge', 100));
    expect(decideEvent(unopened, [], said('pending'))).toEqual(NOTHING);
    expect(decideEvent(unopened, [], said('pending', { rail_key: null }))).toEqual(books('pending', 0));
  });
});
