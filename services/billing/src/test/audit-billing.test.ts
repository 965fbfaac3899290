import { randomUUID } from 'node:crypto';
import { aMandate } from '@cds/service/testing';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { auditBilling } from './audit-billing.js';
import { anApproval, codeOf } from './builders.js';
import { TOTAL } from './live-orders.js';
import { testLiveOrders } from './suite.js';

/** The audit of billing's database finds each row that differs from what happened (invariants.yaml). */
describe('the audit of a paid, repaid and a refused order', () => {
  const { billing, paid, refund, order, settled, ops } = testLiveOrders('audit_billing');
  beforeAll(async () => {
    const { id } = await paid();
    expect(await codeOf(refund(id, 1_000, { line_id: (await order(id)).lines[0]?.line_id }))).toBe('ok');
    await settled();
    expect(await codeOf(ops('ops_order_cancel', id))).toBe('ok');
    const plan = billing.planning.plan(TOTAL);
    const poor = await anApproval(billing, { mandate: aMandate({ monthly_cap_cents: TOTAL - 1 }) });
    const refused = billing.approve(poor, plan);
    expect(await codeOf(refused)).toBe('mandate_refused over_monthly_cap');
    await billing.parts.close();
  });

  it('finds nothing', async () => {
    expect(await auditBilling(billing.store)).toEqual([]);
  });

  it.each<[string, { in: string; where: object; set: object | null }, string]>([
    ['a total', { in: 'orders', where: {}, set: { total_cents: 1 } }, 'I20'],
    ['a state', { in: 'orders', where: {}, set: { payment_state: 'paid' } }, 'I23'],
    ['a repayment that is at no rail', { in: 'orders', where: {}, set: { refunding: randomUUID() } }, 'I21'],
    ['the amount of a payment', { in: 'ledger', where: { kind: 'charge' }, set: { amount_cents: 1 } }, 'I22'],
    ['a missing entry of the ledger', { in: 'ledger', where: { kind: 'refund' }, set: null }, 'I23'],
    ['an entry of another order', { in: 'ledger', where: { kind: 'refund' }, set: { order_id: 'x' } }, 'I23'],
    ['a repayment that is not in the ledger', { in: 'refunds', where: {}, set: { amount_cents: 1 } }, 'I21'],
    ['a repayment that is open again', { in: 'refunds', where: {}, set: { state: 'open' } }, 'I21'],
    ['a credit that nobody paid out', { in: 'credits', where: { state: 'due' }, set: { state: 'refunded' } }, 'I21'],
    ['a credit above its line', { in: 'credits', where: { state: 'due' }, set: { amount_cents: TOTAL } }, 'I21'],
    ['a counter', { in: 'authority', where: {}, set: { months: {} } }, 'I55'],
    ['a missing receipt', { in: 'receipts', where: { kind: 'signed' }, set: null }, 'I67'],
    ['a receipt of something else', { in: 'receipts', where: { kind: 'refused' }, set: { kind: 'signed' } }, 'I67'],
    ['an answer that expires early', { in: 'commands', where: {}, set: { expires_at: new Date(0) } }, 'I09'],
    ['a stored 503', { in: 'commands', where: {}, set: { status: 503 } }, 'I08'],
    ['a missing audit entry', { in: 'audit', where: { action: 'ledger.charge' }, set: null }, 'I53'],
  ])('finds %s', async (_name, { in: name, where, set }, invariant) => {
    const rows = billing.store.db.collection(name);
    const row = await rows.findOne(where);
    if (row === null) throw new Error(`${name} has no such row`);
    const it = { _id: row._id };
    await (set === null ? rows.deleteOne(it) : rows.updateOne(it, { $set: set }));
    try {
      const found = (await auditBilling(billing.store)).map((sentence) => sentence.split(':')[0]);
      expect(found).toContain(invariant);
    } finally {
      await rows.replaceOne(it, row, { upsert: true });
    }
    expect(await auditBilling(billing.store)).toEqual([]);
  });
});
