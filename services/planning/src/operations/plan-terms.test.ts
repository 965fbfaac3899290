import { randomUUID } from 'node:crypto';
import { aMandate } from '@cds/service/testing';
import { describe, expect, it } from '@jest/globals';
import { aUnit } from '../test/builders.js';
import { testWorld } from '../test/suite.js';
import { again, brand } from '../test/world.js';

const ASKED = { spent_cents: 0, current_terms: { version: '2026-11-01', number: 1 } };

describe('plan_terms', () => {
  const world = testWorld('plan_terms');

  it('answers version, fingerprint and total, and no refusal for a plan that may be signed', async () => {
    const { ctx, plan, campaign } = await world.planned({ units: [aUnit({ price_cents: 40_000 })] });
    expect(
      await world.value('plan_terms', ctx, { id: plan._id, terms_fingerprint: plan.terms_fingerprint, ...ASKED }),
    ).toEqual({
      plan_id: plan._id,
      campaign_id: campaign._id,
      version: 1,
      terms_fingerprint: plan.terms_fingerprint,
      total_cents: 40_000,
      channels: ['x_creators'],
      refusal: null,
      evidence: {
        at: ctx.networkNow.toISOString(),
        budget_cents: campaign.budget_cents,
        lines: plan.lines.map((line) => ({
          line_id: line.id,
          unit_id: line.unit_id,
          scheduled_date: line.scheduled_date,
          price_cents: 40_000,
          current_price_cents: 40_000,
          on_sale: true,
        })),
      },
    });
  });

  it('answers the same refusal as the quote’s policy, and reprices nothing', async () => {
    const unit = aUnit({ price_cents: 40_000 });
    const ctx = brand({ mandate: aMandate({ terms_version: null }) });
    const { plan } = await world.planned({ ctx, units: [unit], campaign: { budget_cents: 40_000 } });
    world.neighbours.units.set(unit.unit_id, { ...unit, price_cents: 50_000 });
    const quote = await world.value('plan_quote', ctx, { id: plan._id });
    const terms = await world.value('plan_terms', again(ctx), {
      id: plan._id,
      terms_fingerprint: plan.terms_fingerprint,
      terms_url: 'http://localhost/terms/brand/2026-11-01',
      ...ASKED,
    });
    expect(terms.refusal).toMatchObject({
      code: 'mandate_refused',
      reason: 'terms_not_accepted',
      details: { url: `http://localhost/developers/keys/${ctx.principal.key}/terms` },
    });
    expect(quote.policy.refusal).toEqual({
      code: terms.refusal?.code,
      reason: terms.refusal?.reason,
      ...terms.refusal?.details,
    });
    expect((await world.deps.plans.byId(plan.ws, plan._id))?.version).toBe(1);
  });

  it('answers terms_changed when the plan costs another total than expected', async () => {
    const { ctx, plan } = await world.planned({ units: [aUnit({ price_cents: 40_000 })] });
    const ask = async (expectedTotalCents: number) => {
      const sent = { id: plan._id, terms_fingerprint: plan.terms_fingerprint, ...ASKED };
      const terms = await world.value('plan_terms', again(ctx), { ...sent, expected_total_cents: expectedTotalCents });
      return terms.refusal?.reason ?? null;
    };
    expect([await ask(39_999), await ask(40_000), await ask(40_001)]).toEqual(['terms_changed', null, 'terms_changed']);
  });

  it('answers terms_changed for another fingerprint, and 404 for another workspace', async () => {
    const { ctx, plan } = await world.planned({ units: [aUnit()] });
    const terms = await world.value('plan_terms', ctx, { id: plan._id, terms_fingerprint: 'other', ...ASKED });
    expect(terms.refusal).toMatchObject({ reason: 'terms_changed' });
    expect(terms.refusal?.details).toEqual({ version: 1 });
    expect(await world.error('plan_terms', brand(), { id: plan._id, terms_fingerprint: 'x', ...ASKED })).toMatchObject({
      code: 'not_found',
    });
    expect(await world.error('plan_terms', ctx, { id: randomUUID(), terms_fingerprint: 'x', ...ASKED })).toMatchObject({
      code: 'not_found',
    });
  });
});
