import { describe, expect, it } from '@jest/globals';
import { ordersAreReported, postsAreReported, type ReportedPost } from '../support/audits/feed-states.js';

describe('the audit of what the feed says', () => {
  const reported = (type: string, version: number, data: object) => [
    { ws: 'w', aggregate: { type, id: 'o' }, version, data: { ...data } },
  ];
  const row = { order_id: 'o', line_id: 'l1' };
  const books = {
    orders: [{ _id: 'o', version: 3, payment_state: 'partially_refunded' }],
    ledger: [
      { ...row, _id: 'e1', kind: 'charge', rail_ref: 'p', amount_cents: 100, line_id: null },
      { ...row, _id: 'e2', kind: 'refund', rail_ref: 'p#1', amount_cents: -30 },
      { ...row, _id: 'e3', kind: 'stray_charge', rail_ref: 'q', amount_cents: 100, line_id: null },
      // One that came back in two parts.
      { ...row, _id: 'e4', kind: 'refund', rail_ref: 'p#2', amount_cents: -20 },
      { ...row, _id: 'e5', kind: 'refund_returned', rail_ref: 'p#2', amount_cents: 15 },
      { ...row, _id: 'e6', kind: 'refund_returned', rail_ref: 'p#2~2', amount_cents: 5 },
    ],
    credits: [{ ...row, _id: 'c1', cause: 'remedy', amount_cents: 30, state: 'refunded' }],
  };
  const order = {
    payment_state: 'partially_refunded',
    received_cents: 100,
    refunds: [{ id: 'e2', amount_cents: 30, line_id: 'l1', at: '' }],
    credits: [{ id: 'c1', line_id: 'l1', cause: 'remedy', amount_cents: 30, state: 'refunded' }],
    committed_cents: 70,
    unused_cents: 0,
    stray_cents: 100,
    lines: [{ line_id: 'l1', committed_cents: 70 }],
  };

  it('finds nothing wrong with an order whose newest event says what its books do', () => {
    expect(ordersAreReported([...reported('order', 2, {}), ...reported('order', 3, order)], books)).toEqual([]);
    // A version that has no event yet is for another part of the audit.
    expect(ordersAreReported(reported('order', 2, {}), books)).toEqual([]);
  });

  it.each<[string, object]>([
    ['another state', { payment_state: 'paid' }],
    ['a refund too few', { refunds: [] }],
    ['another amount of a refund', { refunds: [{ ...order.refunds[0], amount_cents: 29 }] }],
    ['a credit that is refunded as due', { credits: [{ ...order.credits[0], state: 'due' }] }],
    ['no credit', { credits: [] }],
    ['no stray money', { stray_cents: 0 }],
    ['unused money that is committed', { unused_cents: 1 }],
    ['more committed than its lines have', { committed_cents: 71 }],
  ])('finds an order of which it says %s', (_name, over) => {
    expect(ordersAreReported(reported('order', 3, { ...order, ...over }), books)).toHaveLength(1);
  });

  const at = new Date('2026-12-01T12:00:00.000Z');
  const stored: ReportedPost = {
    ...{ _id: 'o', version: 3, status: 'completed', booked: true, published_at: at, gone_at: at, disclosure: '#ad' },
    integrity: { seq: 2, hash: 'h' },
    claims: [
      { id: 'one', decided: { remedy: 'credit', amount_cents: 50 } },
      { id: 'two', decided: null },
    ],
    figures: { still_up: { checked_at: at, views: 9 } },
  };
  const post = {
    status: 'completed',
    published_at: at.toISOString(),
    listed: true,
    disclosed: true,
    still_up: { checked_at: at.toISOString(), views: 9 },
    integrity: { seq: 2, hash: 'h' },
    claims: [
      { id: 'one', remedy: 'credit', amount_cents: 50 },
      { id: 'two', remedy: null, amount_cents: null },
    ],
  };

  it('finds nothing wrong with a post whose newest event says what is stored of it', () => {
    expect(postsAreReported(reported('post', 3, post), [stored])).toEqual([]);
  });

  it.each<[string, object]>([
    ['that nobody lists it', { listed: false }],
    ['no disclosure', { disclosed: false }],
    ['no proof', { still_up: null }],
    ['an earlier look', { integrity: { seq: 1, hash: 'g' } }],
    ['an open claim that is decided', { claims: [{ ...post.claims[0], remedy: null }, post.claims[1]] }],
    ['no claim', { claims: [] }],
  ])('finds a post of which it says %s', (_name, over) => {
    expect(postsAreReported(reported('post', 3, { ...post, ...over }), [stored])).toHaveLength(1);
  });
});
