import { describe, expect, it } from '@jest/globals';
import { OpsOrder, opsOrderOperations as operations } from './ops-orders.js';

const LINE = 'b7e6f0a4-5c1d-4e2f-8a3b-9c0d1e2f3a4b';
const {
  ops_order_cancel: cancel,
  ops_order_refund: refund,
  ops_credit_refund: pay,
  ops_order_invoice_paid: paid,
} = operations;

describe('what the team may ask of an order', () => {
  it.each<[string, { safeParse: (body: unknown) => { success: boolean } }, object, boolean]>([
    ['a refund of a cent', refund.body, { amount_cents: 1, reason: 'r' }, true],
    [
      'a refund of a line by a transfer',
      refund.body,
      { amount_cents: 1, line_id: LINE, bank_reference: 'T-1', reason: 'r' },
      true,
    ],
    ['a refund of nothing', refund.body, { amount_cents: 0, reason: 'r' }, false],
    ['a refund of part of a cent', refund.body, { amount_cents: 1.5, reason: 'r' }, false],
    ['a refund beyond every order', refund.body, { amount_cents: 100_000_001, reason: 'r' }, false],
    ['a refund without a reason', refund.body, { amount_cents: 1 }, false],
    ['a credit paid out', pay.body, { reason: 'r' }, true],
    ['a credit paid out by a transfer', pay.body, { bank_reference: 'T-1', reason: 'r' }, true],
    ['a credit paid out with another amount', pay.body, { amount_cents: 1, reason: 'r' }, false],
    ['a payment without its transfer', paid.body, { amount_cents: 1, reason: 'r' }, false],
    ['a cancellation', cancel.body, { reason: 'r' }, true],
    [
      'a credit of nothing',
      cancel.body,
      { reason: 'r', credits: [{ line_id: LINE, amount_cents: 0, note: 'n' }] },
      true,
    ],
    ['a credit without its reason', cancel.body, { reason: 'r', credits: [{ line_id: LINE, amount_cents: 0 }] }, false],
    [
      'credits of more lines than an order has',
      cancel.body,
      { reason: 'r', credits: Array.from({ length: 101 }, () => ({ line_id: LINE, amount_cents: 0, note: 'n' })) },
      false,
    ],
  ])('%s', (_name, schema, body, taken) => {
    expect(schema.safeParse(body).success).toBe(taken);
  });

  it('is answered without the payment link', () => {
    expect(Object.keys(OpsOrder.shape)).not.toContain('payment');
  });
});
