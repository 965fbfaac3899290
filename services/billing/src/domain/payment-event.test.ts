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
