import { aMandate } from '@cds/service/testing';
import { describe, expect, it } from '@jest/globals';
import { aCampaign, aLine, aPlan, aUnit, NOW, TODAY } from '../../test/builders.js';
import type { ApprovalFacts } from './approval.js';
import { failedRules } from './preflight.js';

const OPEN = { maySign: true, writesOpen: true, paymentsOpen: true, railsEndAtCents: Number.POSITIVE_INFINITY };
const unit = aUnit({ price_cents: 1_200 });
const campaign = aCampaign({ budget_cents: 5_000 });
const plan = aPlan(campaign, [aLine(unit, { price_cents: 1_100 })]);

/** A plan of $11 whose price moved to $12, asked for by a child key. */
const facts = (ownCap: number, parent: { cap_cents: number; spent_cents: number }): ApprovalFacts => ({
  plan,
  campaign,
  units: new Map([[unit.unit_id, unit]]),
  mandate: aMandate({ max_plan_cents: 10_000, monthly_cap_cents: ownCap }),
  spentCents: 0,
  parentMonth: parent,
  currentTerms: { version: '2026-11-01' },
  termsUrl: null,
  now: NOW,
  today: TODAY,
});
const failed = (of: ApprovalFacts) =>
  failedRules(of, OPEN).map(({ reason, details }) => [reason, details['limit_cents']]);

describe('the rules that fail when prices moved within the budget (docs/domain/orders.md#preflight)', () => {
  it.each<[string, ApprovalFacts, [reason: string, limit: number | undefined][]]>([
    [
      "the key's cap now, and its parent's only at the new prices",
      facts(1_000, { cap_cents: 2_000, spent_cents: 900 }),
      [
        ['over_monthly_cap', 1_000],
        ['terms_changed', undefined],
        ['over_monthly_cap', 2_000],
      ],
    ],
    [
      "the parent's cap now, and the key's only at the new prices",
      facts(1_100, { cap_cents: 2_000, spent_cents: 1_000 }),
      [
        ['over_monthly_cap', 2_000],
        ['terms_changed', undefined],
        ['over_monthly_cap', 1_100],
      ],
    ],
    [
      'a cap that fails both times is listed once',
      facts(1_000, { cap_cents: 9_000, spent_cents: 0 }),
      [
        ['over_monthly_cap', 1_000],
        ['terms_changed', undefined],
      ],
    ],
    ['no cap', facts(1_200, { cap_cents: 1_200, spent_cents: 0 }), [['terms_changed', undefined]]],
  ])('%s', (_name, of, rules) => {
    expect(failed(of)).toEqual(rules);
  });
});
