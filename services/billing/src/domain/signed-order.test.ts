import { describe, expect, it } from '@jest/globals';
import { CAMPAIGN } from '../test/books.js';
import { aHold } from '../test/builders.js';
import { LINE } from '../test/fake-planning.js';
import { receiptIdOf } from './receipt.js';
import { signedAudit, signedEntry, signedOrder } from './signed-order.js';

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
