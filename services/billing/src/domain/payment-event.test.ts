import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { bookingOf } from '../payment/booking.js';
import type { Order } from './order.js';
import type { LedgerEntry } from './order-state.js';
import { stateOf } from './order-state.js';
import { decideEvent, type RailFact } from './payment-event.js';

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
const fact = (kind: RailFact['kind'], over: Partial<RailFact> = {}): RailFact => ({
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
/** Books facts one after another as the worker does; quarantined and parked ones leave the order alone. */
const after = (facts: readonly RailFact[]) => {
  let current = order;
  let entries: LedgerEntry[] = [];
  const parked: RailFact[] = [];
  for (const one of facts) {
    const decision = decideEvent(current, entries, one);
    if (decision.kind === 'park') parked.push(one);
    if (decision.kind !== 'apply') continue;
    const booking = bookingOf(current, entries, decision.entries, { actor: '', rail: 'sandbox', at: one.occurred_at });
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

describe("a rail's events and the order's moves (3-orders 7)", () => {
  it.each([
    ['a charge', [fact('charge')], 'paid', ['charge']],
    ['a pending event', [fact('pending')], 'processing', ['pending']],
    ['pending, then settled', [fact('pending'), fact('charge')], 'paid', ['pending', 'charge']],
    ['pending, then failed', [fact('pending'), fact('failed')], 'unpaid', ['pending', 'failed']],
    ['failed told before its pending', [fact('failed'), fact('pending')], 'unpaid', ['failed']],
    ['a session that ran out', [fact('closed')], 'unpaid', []],
    ['the same charge twice', [fact('charge'), fact('charge', { event_id: 'evt_2' })], 'paid', ['charge']],
    ['a second payment', [fact('charge'), fact('charge', { rail_ref: 'pay_2' })], 'paid', ['charge', 'stray_charge']],
    [
      'a failure of an earlier session',
      [fact('pending'), fact('failed', { rail_key: 'o:0', rail_ref: 'pay_0' })],
      'processing',
      ['pending'],
    ],
    ['a delay of an earlier session', [fact('pending', { rail_key: 'o:0', rail_ref: 'pay_0' })], 'unpaid', []],
    ['money of an earlier session', [fact('charge', { rail_key: 'o:0', rail_ref: 'pay_0' })], 'paid', ['charge']],
    ['a late pending event', [fact('charge'), fact('pending')], 'paid', ['charge']],
    [
      'a part returned',
      [fact('charge'), fact('refund', { amount_cents: 40 })],
      'partially_refunded',
      ['charge', 'refund'],
    ],
    [
      'cumulative refunds',
      [fact('charge'), fact('refund', { amount_cents: 40 }), fact('refund', { amount_cents: 100 })],
      'refunded',
      ['charge', 'refund', 'refund'],
    ],
    [
      'an older refund told late',
      [fact('charge'), fact('refund', { amount_cents: 100 }), fact('refund', { amount_cents: 40 })],
      'refunded',
      ['charge', 'refund'],
    ],
    ['another amount', [fact('charge', { amount_cents: 99 })], 'unpaid', []],
    ['one cent more', [fact('charge', { amount_cents: 101 })], 'unpaid', []],
    ['another currency', [fact('charge', { currency: 'EUR' })], 'unpaid', []],
    ['more returned than paid', [fact('charge'), fact('refund', { amount_cents: 101 })], 'paid', ['charge']],
    ['an event without effect', [fact('none')], 'unpaid', []],
  ] as const)('%s', (_name, facts, state, kinds) => {
    const result = after(facts);
    expect(result.order.payment_state).toBe(state);
    expect(result.kinds).toEqual(kinds);
  });

  it('money for a cancelled order is a stray charge and never pays it (B32)', () => {
    expect(decideEvent({ ...order, payment_state: 'cancelled' }, cancelled, fact('charge'))).toMatchObject({
      kind: 'apply',
      entries: [{ kind: 'stray_charge', amount_cents: 100 }],
    });
  });

  it.each([
    ['a sandbox rail on a live order', { sandbox: false }, { sandbox: true }],
    ['a live rail on a sandbox order', { sandbox: true }, { sandbox: false }],
  ])('%s is quarantined, whatever it tells', (_name, of, told) => {
    for (const kind of ['charge', 'pending', 'failed', 'closed', 'refund', 'none'] as const)
      expect(decideEvent({ ...order, ...of }, [], fact(kind, told))).toEqual({ kind: 'quarantine', reason: 'rail' });
  });

  it('a refund before its payment is parked', () => {
    expect(after([fact('refund')]).parked).toHaveLength(1);
  });

  it('any deliveries in any order book the payment once, and the state is the ledger’s (I21, I23)', () => {
    const one = fc.constantFrom(
      fact('charge'),
      fact('pending'),
      fact('failed'),
      fact('closed'),
      fact('refund', { amount_cents: 30 }),
      fact('refund', { amount_cents: 100 }),
    );
    fc.assert(
      fc.property(fc.array(one, { maxLength: 20 }), (facts) => {
        const result = after(facts);
        expect(result.kinds.filter((kind) => kind === 'charge').length).toBeLessThanOrEqual(1);
        expect(result.order.payment_state).toBe(stateOf(result.entries));
        if (facts.some((each) => each.kind === 'charge'))
          expect(['unpaid', 'processing']).not.toContain(result.order.payment_state);
      }),
    );
  });
});
