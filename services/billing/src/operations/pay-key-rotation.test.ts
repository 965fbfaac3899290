import { createSecretKey } from 'node:crypto';
import type { PayPage, PlanApproved, QuoteFacts } from '@cds/contracts';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { formTokenOf, type PayKeys } from '../domain/pay-token.js';
import { aBilling, anApproval, answerOf, aSystemCtx, type Billing, codeOf } from '../test/builders.js';

const aKey = (byte: number) => createSecretKey(Buffer.alloc(32, byte));

describe('rotating the key of payment links', () => {
  /** The process's keys, changed in place as a restart with other settings would. */
  const keys: Record<string, PayKeys[string]> = { 1: aKey(1) };
  let billing: Billing;
  beforeAll(async () => {
    billing = await aBilling('rotation', keys);
  });
  afterAll(() => billing.drop());

  it('seals with the new key, and needs the old one only while an order sealed by it is payable', async () => {
    const [plan, next] = [billing.planning.plan(100), billing.planning.plan(100)];
    const [ctx, later] = [await anApproval(billing), await anApproval(billing)];
    const ask = (of: typeof plan, by: typeof ctx) => billing.approve(by, of);
    const quote = async (order_id: string, by: typeof ctx) =>
      answerOf<QuoteFacts>(await billing.run('quote_facts', by, { order_id })).order;
    const first = answerOf<PlanApproved>(await ask(plan, ctx));

    keys['2'] = aKey(2);
    const second = answerOf<PlanApproved>(await ask(next, later));
    const sealed = await Promise.all(
      [ctx, later].map(async ({ principal }) => (await billing.orders(principal.workspace))[0]?.pay_token.slice(0, 3)),
    );
    expect(sealed).toEqual(['~1.', '~2.']);
    expect(answerOf<PlanApproved>(await ask(plan, ctx))).toEqual(first);
    expect((await quote(first.order_id, ctx))?.payment?.url).toBe(first.payment.url);
    expect((await quote(second.order_id, later))?.payment?.url).toBe(second.payment.url);

    await billing.run(
      'sandbox_order_payment',
      { ...ctx, command: { id: 'pays', fp: 'pays' } },
      { id: first.order_id, outcome: 'paid' },
    );
    delete keys['1'];
    expect(await quote(first.order_id, ctx)).toMatchObject({ payment_state: 'paid', payment: null });
    expect((await quote(second.order_id, later))?.payment?.url).toBe(second.payment.url);
  });

  it('leaves the forms of an open payment page valid, and none of its keys makes one', async () => {
    const ctx = await anApproval(billing);
    const plan = billing.planning.plan(100);
    const asked = { id: plan.id, terms_fingerprint: plan.terms_fingerprint };
    const { payment } = answerOf<PlanApproved>(await billing.run('approve_plan', ctx, asked));
    const token = payment.url.split('/').at(-1) ?? '';
    const system = await aSystemCtx(billing, ctx.principal.workspace);
    const { form_token } = answerOf<PayPage>(await billing.run('pay_page', system, { token }));

    const known = Object.values(keys);
    keys['9'] = aKey(9);
    for (const key of [...known, keys['9']])
      expect(await codeOf(billing.run('pay_checkout', system, { token, form_token: formTokenOf(key, token) }))).toBe(
        'forbidden',
      );
    expect(await codeOf(billing.run('pay_checkout', system, { token, form_token }))).toBe('ok');
  });
});
