import { randomUUID } from 'node:crypto';
import type { MandateInput, MandateTryPage } from '@cds/contracts';
import type { Ctx } from '@cds/service';
import { aMandate } from '@cds/service/testing';
import { describe, expect, it } from '@jest/globals';
import { anApproval, answerOf, codeOf } from '../test/builders.js';
import { aRefusal } from '../test/fake-planning.js';
import { testBilling } from '../test/suite.js';

const END = '2099-01-01T00:00:00.000Z';

const draftOf = (over: Partial<MandateInput> = {}): MandateInput => ({
  max_plan_cents: 2_500_000,
  monthly_cap_cents: 100_000,
  channels: ['x_creators'],
  may_approve: true,
  expires_at: END,
  ...over,
});

describe('trying a draft of a mandate on recorded approvals (docs/domain/orders.md#mandate-workbench)', () => {
  const billing = testBilling('billing_mandate_try');

  const approveUnder = async (
    of: { workspace: string; key: string; mandate: MandateInput; name?: string },
    cents: number,
  ) => {
    const ctx = await anApproval(billing, { ...of, mandate: aMandate(of.mandate) });
    const plan = billing.planning.plan(cents);
    const approve = () => billing.approve(ctx, plan);
    return { ctx, code: await codeOf(approve()), again: () => codeOf(approve()) };
  };
  const aKey = () => ({ workspace: randomUUID(), key: randomUUID() });
  const tryOn = async (ctx: Ctx, mandate: MandateInput): Promise<MandateTryPage> => {
    const now = (await billing.store.now()).getTime();
    const of = { from: new Date(now - 86_400_000).toISOString(), to: new Date(now + 1_000).toISOString(), after: null };
    return answerOf(await billing.run('billing_mandate_try', ctx, { keys: [ctx.principal.key], mandate, ...of }));
  };
  const checksOf = (key: string) => billing.store.db.collection('mandate_checks').countDocuments({ key });

  it('records each ended approval once, whatever is repeated', async () => {
    const of = { ...aKey(), mandate: draftOf() };
    const signed = await approveUnder(of, 60_000);
    const over = await approveUnder(of, 60_000);
    expect([signed.code, over.code]).toEqual(['ok', 'mandate_refused over_monthly_cap']);
    expect([await signed.again(), await over.again()]).toEqual([signed.code, over.code]);
    await billing.recover();
    expect(await tryOn(over.ctx, of.mandate)).toMatchObject({
      tried: 2,
      changed: [],
      refused: [
        {
          operation: 'approve_plan',
          request_id: over.ctx.requestId,
          reason: 'over_monthly_cap',
          details: { limit_cents: 100_000, spent_cents: 60_000, requested_cents: 60_000, over_by_cents: 20_000 },
        },
      ],
    });
    expect(await checksOf(of.key)).toBe(2);
  });

  it('does not record a conflict, which no mandate decided', async () => {
    const of = { ...aKey(), mandate: draftOf() };
    billing.planning.refusal = aRefusal('conflict', 'archived');
    expect((await approveUnder(of, 60_000)).code).toBe('conflict archived');
    await billing.parts.close();
    expect(await checksOf(of.key)).toBe(0);
  });

  it('records a signing that the recovery worker finished, as one request', async () => {
    const of = { ...aKey(), mandate: draftOf() };
    billing.planning.misbehaviour = { loseReply: true, unavailable: false };
    const late = await approveUnder(of, 60_000);
    billing.planning.misbehaviour = {};
    await billing.recover();
    await late.again();
    await billing.parts.close();
    expect(await tryOn(late.ctx, of.mandate)).toMatchObject({ tried: 1, refused: [], changed: [] });
  });

  it('leaves the terms accepted and the cents spent as they were', async () => {
    const of = { ...aKey(), mandate: draftOf() };
    await approveUnder(of, 60_000);
    const { ctx } = await approveUnder(of, 30_000);
    const tight = await tryOn(ctx, draftOf({ monthly_cap_cents: 80_000 }));
    // The first would have been allowed, so its cents count against the second.
    expect(tight.changed.map(({ was, would }) => [was, would])).toEqual([[null, 'over_monthly_cap']]);
    expect(tight.refused[0]?.details).toMatchObject({ spent_cents: 60_000, over_by_cents: 10_000 });
    // It would have been refused, yet the second is still judged by what was spent.
    const tighter = await tryOn(ctx, draftOf({ max_plan_cents: 40_000, monthly_cap_cents: 95_000 }));
    expect(tighter.changed.map(({ would }) => would)).toEqual(['over_max_plan_total']);
    expect((await tryOn(ctx, draftOf({ may_approve: false }))).refused.map(({ reason }) => reason)).toEqual([
      'approval_not_allowed',
      'approval_not_allowed',
    ]);
  });
});
