import { aMandate } from '@cds/service/testing';
import { describe, expect, it } from '@jest/globals';
import { aCampaign, aLine, aPlan, aUnit, NOW, TODAY } from '../../test/builders.js';
import { decideSigning, orderCampaign, orderLines } from './signing.js';

const units = [aUnit({ price_cents: 40_000 }), aUnit({ price_cents: 60_000 })];
const campaign = aCampaign({ budget_cents: 150_000 });
const plan = aPlan(
  campaign,
  units.map((unit) => aLine(unit)),
);
const of = { orderId: 'order', approvedAt: NOW, totalCents: 100_000 };

const decide = (prices: [number, number], over: Partial<Parameters<typeof decideSigning>[0]> = {}, to = of) =>
  decideSigning(
    {
      plan,
      campaign,
      units: new Map(units.map((unit, index) => [unit.unit_id, { ...unit, price_cents: prices[index] ?? 0 }])),
      mandate: aMandate(),
      spentCents: 0,
      currentTerms: { version: '2026-11-01' },
      termsUrl: null,
      now: NOW,
      today: TODAY,
      fingerprint: plan.terms_fingerprint,
      ...over,
    },
    to,
  );

describe('deciding a signing (docs/reliability.md#signing, step 2)', () => {
  it('signs on unchanged prices and sets the order', () => {
    expect(decide([40_000, 60_000])).toMatchObject({
      kind: 'sign',
      plan: {
        status: 'approved',
        version: 1,
        approved_at: NOW,
        order: {
          order_id: 'order',
          version: 0,
          total_cents: 100_000,
          currency: 'USD',
          signed_at: NOW,
          payment_state: 'unpaid',
        },
      },
    });
  });

  it('reprices a move within the budget and refuses with the new version', () => {
    const decided = decide([45_000, 60_000]);
    if (decided.kind !== 'refuse' || decided.repriced === null) throw new Error('it repriced nothing');
    expect(decided.repriced).toMatchObject({ version: 2, status: 'awaiting_approval' });
    expect(decided.repriced.lines[0]?.price_cents).toBe(45_000);
    expect(decided.refusal).toMatchObject({
      reason: 'terms_changed',
      details: { version: 2 },
    });
  });

  it('takes a fallen price too', () => {
    expect(decide([39_000, 60_000])).toMatchObject({
      kind: 'refuse',
      repriced: { version: 2 },
      refusal: { reason: 'terms_changed' },
    });
  });

  it('refuses a move past the budget and keeps the plan’s prices', () => {
    expect(decide([95_000, 60_000])).toMatchObject({
      kind: 'refuse',
      repriced: null,
      refusal: { reason: 'over_budget', details: { over_by_cents: 5_000 } },
    });
  });

  it('refuses a key that may not sign before it looks at prices, and reprices nothing', () => {
    expect(decide([45_000, 60_000], { mandate: aMandate({ may_approve: false }) })).toMatchObject({
      kind: 'refuse',
      repriced: null,
      refusal: { reason: 'approval_not_allowed' },
    });
  });

  it('refuses a total other than the one that was reserved', () => {
    expect(decide([40_000, 60_000], {}, { ...of, totalCents: 99_999 })).toMatchObject({
      kind: 'refuse',
      refusal: { reason: 'terms_changed', details: { version: 1 } },
    });
  });

  it('freezes lines numbered from 1 in the plan’s order, and the campaign', () => {
    expect(orderLines(plan).map((line) => [line.number, line.price_cents])).toEqual([
      [1, 40_000],
      [2, 60_000],
    ]);
    expect(orderCampaign(campaign, plan, null)).toMatchObject({
      campaign_number: 1,
      campaign: 'Acme Rocket',
      launch_window_start: '2026-12-01',
    });
  });

  it('says what the slots count from, and which of them the team wrote', () => {
    const [first, second] = plan.lines;
    if (first === undefined || second === undefined) throw new Error('the plan lacks lines');
    const written = { ...plan, lines: [first, { ...second, written_by: 'team' as const }] };
    expect(orderLines(written).map(({ team_slot }) => team_slot)).toEqual([undefined, true]);
    expect(orderCampaign(campaign, plan, null)).toMatchObject({
      goal: campaign.goal,
      moment_offset: plan.moment_offset,
    });
  });
});
