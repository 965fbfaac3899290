import type { PaymentState } from '@cds/contracts';
import { describe, expect, it } from '@jest/globals';
import { CAMPAIGN } from '../test/books.js';
import { aHold } from '../test/builders.js';
import { LINE } from '../test/fake-planning.js';
import {
  accountOfOrder,
  isLineEnded,
  moved,
  type Order,
  orderNumberOf,
  railKeyOf,
  signedAudit,
  signedEntry,
  signedOrder,
} from './order.js';
import { receiptIdOf } from './receipt.js';

const AT = new Date('2026-11-22T10:00:00Z');
const LATER = new Date('2026-11-23T10:00:00Z');
const anOrder = (over: Partial<Order> = {}): Order => ({ ...signedOrder(aHold(), [], CAMPAIGN, 'hash'), ...over });

describe('an order', () => {
  it('counts for the key that signed it, and for its parent', () => {
    expect(accountOfOrder(anOrder({ key_id: 'key' }))).toEqual({ document: 'key', child: null });
    const ofChild = anOrder({ key_id: 'child', parent_key_id: 'parent' });
    expect(accountOfOrder(ofChild)).toEqual({ document: 'parent', child: 'child' });
  });

  it.each<[ended: boolean, what: string, over: Partial<Order>, line: string | null]>([
    [false, 'while nothing ended', {}, 'a'],
    [false, 'while another line ended', { ended_lines: ['b'] }, 'a'],
    [true, 'once it ended', { ended_lines: ['b', 'a'] }, 'a'],
    [true, 'with its order', { payment_state: 'cancelled' }, 'a'],
    [false, 'where no line is named', { ended_lines: ['a'] }, null],
    [true, 'where no line is named, with its order', { payment_state: 'cancelled' }, null],
  ])('has ended a line: %s %s', (ended, _what, over, line) => {
    expect(isLineEnded(anOrder(over), line)).toBe(ended);
  });

  it.each<[state: PaymentState, dates: Partial<Order>]>([
    ['paid', { paid_at: AT }],
    ['cancelled', { cancelled_at: AT }],
    ['processing', {}],
    ['unpaid', {}],
    ['partially_refunded', {}],
  ])('that becomes %s is dated once', (state, dates) => {
    const order = anOrder();
    const first = moved(order, state, AT);
    expect(first).toEqual({ ...order, payment_state: state, ...dates });
    expect(moved(first, state, LATER)).toEqual(first);
  });

  it('is refunded as of the last time that it was, and not once money came back', () => {
    const refunded = moved(anOrder(), 'refunded', AT);
    expect(refunded.refunded_at).toEqual(AT);
    expect(moved(refunded, 'refunded', LATER).refunded_at).toEqual(LATER);
    expect(moved(refunded, 'partially_refunded', LATER).refunded_at).toBeNull();
  });

  it('keeps the date of its payment when it is refunded or cancelled', () => {
    const paid = moved(anOrder(), 'paid', AT);
    expect(moved(paid, 'refunded', LATER)).toMatchObject({ paid_at: AT, refunded_at: LATER, cancelled_at: null });
    expect(moved(paid, 'cancelled', LATER)).toMatchObject({ paid_at: AT, refunded_at: null, cancelled_at: LATER });
  });

  it('is called by the last ten characters of its id', () => {
    expect(orderNumberOf('0b6cbb3e-6f0a-4f5e-9d5e-6a1b7b1b7b1f')).toBe('CDS-1B7B1B7B1F');
    expect(orderNumberOf('0b6cbb3e-6f0a-4f5e-9d5e-6a1b')).toBe('CDS-5E9D5E6A1B');
    expect(railKeyOf('order', 2)).toBe('order:2');
  });
});

const hold = aHold();
const order = signedOrder(hold, [LINE], CAMPAIGN, 'hash');
const { principal } = aHold();
const PARENT = { key: 'parent', monthly_cap_cents: 1, mandate_version: 1 };
const ofChild = signedOrder(aHold({ principal: { ...principal, parent: PARENT } }), [], CAMPAIGN, 'hash');

/** docs/domain/orders.md#approve-answer. */
describe('a signed plan', () => {
  it('becomes an unpaid order that may be paid for 14 days', () => {
    expect(order).toEqual({
      _id: hold.order_id,
      ws: 'ws',
      sandbox: hold.principal.sandbox,
      plan_id: hold.plan_id,
      campaign: CAMPAIGN,
      key_id: hold.principal.key,
      mandate_version: 1,
      terms_version: '2026-11-01',
      version: 1,
      rev: 1,
      payment_state: 'unpaid',
      total_cents: 100,
      currency: 'USD',
      signed_at: hold.approved_at,
      paid_at: null,
      refunded_at: null,
      cancelled_at: null,
      lines: [LINE],
      rail: 'checkout',
      pay_token: '~',
      pay_token_hash: 'hash',
      pay_expires_at: new Date('2026-12-05T12:00:00Z'),
      month: '2026-11',
      signing_id: hold.signing_id,
      receipt_id: receiptIdOf(hold),
      generation: 0,
      session: null,
    });
  });

  it('begins the ledger of its order', () => {
    expect(signedEntry(order, 'entry')).toEqual({
      _id: 'entry',
      ws: 'ws',
      order_id: hold.order_id,
      seq: 1,
      kind: 'signed',
      amount_cents: 0,
      rail: 'checkout',
      rail_ref: hold.signing_id,
      line_id: null,
      cause: 'approved',
      actor: `key:${hold.principal.key}`,
      at: hold.approved_at,
    });
  });

  it('is audited with what was approved, and by whom', () => {
    expect(signedAudit(order)).toStrictEqual({
      ws: 'ws',
      actor: `key:${hold.principal.key}`,
      action: 'order.signed',
      object: hold.order_id,
      payload: {
        plan_id: hold.plan_id,
        total_cents: 100,
        signing_id: hold.signing_id,
        mandate_version: 1,
        terms_version: '2026-11-01',
        signed_at: '2026-11-21T12:00:00.000Z',
      },
    });
  });

  it('names the parent of a child key in its order and its audit entry', () => {
    expect(ofChild).toMatchObject({ key_id: principal.key, parent_key_id: 'parent' });
    expect(signedAudit(ofChild).payload).toMatchObject({ parent_key_id: 'parent' });
  });
});
