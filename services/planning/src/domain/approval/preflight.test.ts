import { aMandate } from '@cds/service/testing';
import { describe, expect, it } from '@jest/globals';
import { aCampaign, aLine, aPlan, aUnit, NOW, TODAY } from '../../test/builders.js';
import type { ApprovalFacts } from './approval.js';
import { type FailedRule, failedRules, isSameRule, type Openness } from './preflight.js';

const RAILS = { railsBeginAtCents: 0, railsEndAtCents: Number.POSITIVE_INFINITY };
const OPEN = { maySign: true, writesOpen: true, paymentsOpen: true, ...RAILS };
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
  failedRules(of, OPEN).map(({ reason, details: { limit_cents = '' } }) => `${reason} ${limit_cents}`.trimEnd());

describe('the rules that fail when prices moved within the budget (docs/domain/orders.md#preflight)', () => {
  it.each<[string, ApprovalFacts, rules: string[]]>([
    [
      "the key's cap now, and its parent's only at the new prices",
      facts(1_000, { cap_cents: 2_000, spent_cents: 900 }),
      ['over_monthly_cap 1000', 'terms_changed', 'over_monthly_cap 2000'],
    ],
    [
      "the parent's cap now, and the key's only at the new prices",
      facts(1_100, { cap_cents: 2_000, spent_cents: 1_000 }),
      ['over_monthly_cap 2000', 'terms_changed', 'over_monthly_cap 1100'],
    ],
    [
      'a cap that fails both times is listed once',
      facts(1_000, { cap_cents: 9_000, spent_cents: 0 }),
      ['over_monthly_cap 1000', 'terms_changed'],
    ],
    ['no cap', facts(1_200, { cap_cents: 1_200, spent_cents: 0 }), ['terms_changed']],
  ])('%s', (_name, of, rules) => {
    expect(failed(of)).toEqual(rules);
  });
});

describe('every rule that approve would fail', () => {
  const sound = (over: Partial<ApprovalFacts> = {}): ApprovalFacts => {
    const priced = aUnit({ price_cents: 1_100 });
    return {
      ...facts(10_000, { cap_cents: 10_000, spent_cents: 0 }),
      plan: aPlan(campaign, [aLine(priced)]),
      units: new Map([[priced.unit_id, priced]]),
      ...over,
    };
  };
  const all = (of: ApprovalFacts, open: Partial<Openness> = {}) => failedRules(of, { ...OPEN, ...open });
  const reasons = (...args: Parameters<typeof all>) => all(...args).map(({ reason }) => reason);
  const signed = { ...sound().plan, status: 'approved' as const, approved_at: NOW };
  const archived = { ...campaign, archived_at: NOW };

  it('is none of a plan that can be signed', () => {
    expect(all(sound())).toEqual([]);
    expect(all(sound(), { railsBeginAtCents: 1_100, railsEndAtCents: 1_100 })).toEqual([]);
  });

  it.each<[reasons: string[], what: string, of: ApprovalFacts, open: Partial<Openness>]>([
    [['missing_scope', 'writes_closed'], 'what the edge refuses first', sound(), { maySign: false, writesOpen: false }],
    [
      ['missing_scope', 'plan_signed'],
      'a signed plan no further',
      sound({ plan: signed, campaign: archived }),
      { maySign: false, paymentsOpen: false },
    ],
    [['archived', 'payments_closed'], 'an archived campaign', sound({ campaign: archived }), { paymentsOpen: false }],
    [['no_mandate'], 'no mandate', sound({ mandate: null }), {}],
    [['payments_closed'], 'a total above every rail', sound(), { railsEndAtCents: 1_099 }],
    [['payments_closed'], 'a total below every rail', sound(), { railsBeginAtCents: 1_101 }],
    [
      ['approval_not_allowed', 'over_budget', 'lines_blocked', 'over_max_plan_total'],
      'permissions, then the plan, then amounts',
      sound({
        mandate: aMandate({ may_approve: false, max_plan_cents: 1 }),
        campaign: { ...campaign, budget_cents: 1 },
        today: '2026-12-02',
      }),
      {},
    ],
  ])('is %j: %s', (expected, _what, of, open) => {
    expect(reasons(of, open)).toEqual(expected);
  });

  it('says what to do', () => {
    const said = (open: Partial<Openness>) => all(sound(), open)[0];
    expect(said({ maySign: false })).toEqual({
      code: 'forbidden',
      reason: 'missing_scope',
      message: 'This key lacks the scope plans:approve. Use a key that has it, or ask a person of the brand to add it.',
      details: {},
    });
    const closed = { code: 'unavailable', details: {} };
    expect(said({ writesOpen: false })).toEqual({
      ...closed,
      reason: 'writes_closed',
      message: 'Writes are closed at the moment. Retry later.',
    });
    expect(said({ paymentsOpen: false })).toEqual({
      ...closed,
      reason: 'payments_closed',
      message: 'Payments are not open at the moment. Retry later.',
    });
    expect(said({ railsEndAtCents: 7 })).toEqual({
      ...closed,
      reason: 'payments_closed',
      message:
        'No rail that is offered takes this total. Ask the team to open payment by invoice, or make the plan smaller.',
      details: { limit_cents: 7 },
    });
    expect(said({ railsBeginAtCents: 9_999 })).toMatchObject({
      message:
        'No rail that is offered takes so little. Ask the team to open payment by invoice, or make the plan larger.',
      details: { limit_cents: 9_999 },
    });
    expect(all(facts(9_000, { cap_cents: 9_000, spent_cents: 0 }))).toMatchObject([
      {
        message:
          'Prices moved within the budget, so approve would first take the plan from 1100 to 1200 cents. Then read the quote and approve with its terms_fingerprint.',
        details: {},
      },
    ]);
  });

  it('is the same by its reason, its limit and what is spent', () => {
    const rule = (reason: string, details: object) => ({ reason, details }) as unknown as FailedRule;
    const cap = rule('over_monthly_cap', { limit_cents: 1, spent_cents: 2 });
    expect(isSameRule(cap, rule('over_monthly_cap', { limit_cents: 1, spent_cents: 2, requested_cents: 3 }))).toBe(
      true,
    );
    for (const other of [
      rule('over_max_plan_total', { limit_cents: 1, spent_cents: 2 }),
      rule('over_monthly_cap', { limit_cents: 2, spent_cents: 2 }),
      rule('over_monthly_cap', { limit_cents: 1, spent_cents: 1 }),
    ])
      expect(isSameRule(cap, other)).toBe(false);
  });
});
