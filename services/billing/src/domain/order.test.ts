import type { PaymentState } from '@cds/contracts';
import { describe, expect, it } from '@jest/globals';
import { CAMPAIGN } from '../test/books.js';
import { aHold } from '../test/builders.js';
import { accountOfOrder, isLineEnded, moved, type Order, orderNumberOf, railKeyOf } from './order.js';
import { signedOrder } from './signed-order.js';

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
