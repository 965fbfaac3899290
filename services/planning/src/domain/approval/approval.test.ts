import { aMandate } from '@cds/service/testing';
import { describe, expect, it } from '@jest/globals';
import { aCampaign, aLine, aPlan, aUnit, NOW, TODAY } from '../../test/builders.js';
import { type ApprovalFacts, approvalRefusal, asksOfApproval, channelsOf, policyOf } from './approval.js';

const unit = aUnit({ price_cents: 45_000 });
const campaign = aCampaign({ budget_cents: 100_000 });
const line = aLine(unit);
const plan = aPlan(campaign, [line]);

const facts = (over: Partial<ApprovalFacts> = {}): ApprovalFacts => ({
  plan,
  campaign,
  units: new Map([[unit.unit_id, unit]]),
  mandate: aMandate(),
  spentCents: 0,
  currentTerms: { version: '2026-11-01' },
  termsUrl: 'http://localhost/terms/brand/2026-11-01',
  now: NOW,
  today: TODAY,
  fingerprint: plan.terms_fingerprint,
  ...over,
});
const withUnit = (over: Partial<typeof unit>) => ({ units: new Map([[unit.unit_id, { ...unit, ...over }]]) });

const conflict = (reason: string, details: object) => ({ code: 'conflict', reason, details });
const byMandate = (reason: string, details: object = {}) => ({
  code: 'mandate_refused',
  reason,
  details: { ...details, escalate: true },
});

/** Each failing test with its facts, in approval's order: an earlier one wins over all below it. */
const TESTS: readonly (readonly [name: string, over: Partial<ApprovalFacts>, refusal: Record<string, unknown>])[] = [
  [
    'a signed plan is plan_signed with its instant',
    { plan: { ...plan, status: 'approved', approved_at: NOW } },
    conflict('plan_signed', { approved_at: NOW.toISOString() }),
  ],
  ['an archived campaign is archived', { campaign: { ...campaign, archived_at: NOW } }, conflict('archived', {})],
  ['a key without a mandate is no_mandate', { mandate: null }, byMandate('no_mandate')],
  [
    'a mandate is expired from the instant it ends',
    { mandate: aMandate({ expires_at: NOW.toISOString() }) },
    byMandate('mandate_expired', { expired_at: NOW.toISOString() }),
  ],
  [
    'a line on a channel outside the mandate names the channel',
    { mandate: aMandate({ channels: ['reddit'] }) },
    byMandate('channel_not_allowed', { channels: ['x_creators'] }),
  ],
  [
    'a key that may not sign is approval_not_allowed',
    { mandate: aMandate({ may_approve: false }) },
    byMandate('approval_not_allowed'),
  ],
  [
    'older brand terms are terms_not_accepted with both versions and the address',
    { mandate: aMandate({ terms_version: '2026-01-01' }) },
    byMandate('terms_not_accepted', {
      current_version: '2026-11-01',
      accepted_version: '2026-01-01',
      url: 'http://localhost/terms/brand/2026-11-01',
    }),
  ],
  [
    'another fingerprint is terms_changed with the version, and never the fingerprint that would sign',
    { fingerprint: 'other' },
    {
      ...conflict('terms_changed', { version: 1 }),
      message: expect.stringContaining('not the terms of the current quote'),
    },
  ],
  [
    'another total than the expected one is terms_changed, even with the right fingerprint, and named',
    { expectedTotalCents: 44_999 },
    { ...conflict('terms_changed', { version: 1 }), message: expect.stringContaining('expected_total_cents is not') },
  ],
  [
    'current prices past the budget are over_budget with every line',
    withUnit({ price_cents: 130_000 }),
    conflict('over_budget', {
      budget_cents: 100_000,
      total_cents: 130_000,
      over_by_cents: 30_000,
      lines: [{ line_id: line.id, price_cents: 45_000, current_price_cents: 130_000 }],
    }),
  ],
  [
    'a line whose unit is not buyable is lines_blocked',
    withUnit({ buyable: false }),
    conflict('lines_blocked', { line_ids: [line.id] }),
  ],
  [
    'a total above the largest plan is over_max_plan_total',
    { mandate: aMandate({ max_plan_cents: 44_999 }) },
    byMandate('over_max_plan_total', { limit_cents: 44_999, requested_cents: 45_000, over_by_cents: 1 }),
  ],
  [
    'a total above what is left of the month is over_monthly_cap',
    { mandate: aMandate({ monthly_cap_cents: 100_000 }), spentCents: 55_001 },
    byMandate('over_monthly_cap', {
      limit_cents: 100_000,
      spent_cents: 55_001,
      requested_cents: 45_000,
      over_by_cents: 1,
    }),
  ],
];

describe('the tests of approval (docs/domain/orders.md#approve-checks)', () => {
  it('all pass for a plan within its budget, on sale, under a mandate that fits exactly', () => {
    const exact = { mandate: aMandate({ max_plan_cents: 45_000, monthly_cap_cents: 100_000 }), spentCents: 55_000 };
    expect(approvalRefusal(facts(exact))).toBeNull();
  });

  it.each(TESTS)('%s', (_name, over, refusal) => {
    expect(approvalRefusal(facts(over))).toMatchObject(refusal);
  });

  it('report the first that fails: an earlier failure hides every later one', () => {
    const rows = TESTS.map(([, over, refusal]) => ({ over, reason: refusal['reason'] }));
    rows.forEach((earlier, index) => {
      for (const later of rows.slice(index + 1)) {
        // One field cannot fail in two ways; then the earlier one counts.
        const refusal = approvalRefusal(facts({ ...later.over, ...earlier.over }));
        expect(refusal?.reason).toBe(earlier.reason);
      }
    });
  });

  it('ignore the fingerprint for a quote', () => {
    const { fingerprint: _sent, ...quoted } = facts();
    expect(approvalRefusal(quoted)).toBeNull();
  });

  it('count a date that has passed as blocked', () => {
    const past = aPlan(campaign, [{ ...line, scheduled_date: '2026-11-20' }]);
    const refusal = approvalRefusal(facts({ plan: past, fingerprint: past.terms_fingerprint }));
    expect(refusal).toMatchObject({ reason: 'lines_blocked', details: { line_ids: [line.id] } });
  });

  it('require no terms while none is published: payments are closed then, which billing reports', () => {
    expect(approvalRefusal(facts({ currentTerms: null, mandate: aMandate({ terms_version: null }) }))).toBeNull();
  });
});

describe('the policy of a quote (docs/domain/orders.md#policy-in-the-quote)', () => {
  it('allows when nothing refuses', () => {
    expect(policyOf(null)).toEqual({ allowed: true, refusal: null });
  });

  it('shows code, reason and numbers of the refusal that approve would answer', () => {
    const refusal = approvalRefusal(facts({ mandate: aMandate({ max_plan_cents: 1 }) }));
    expect(policyOf(refusal)).toEqual({
      allowed: false,
      refusal: {
        code: 'mandate_refused',
        reason: 'over_max_plan_total',
        limit_cents: 1,
        requested_cents: 45_000,
        over_by_cents: 44_999,
        escalate: true,
      },
    });
  });

  it('escalates over_budget, which only a quote counts among the mandate reasons (docs/domain/orders.md#refusal-details)', () => {
    const refusal = approvalRefusal(facts(withUnit({ price_cents: 130_000 })));
    expect(policyOf(refusal).refusal).toMatchObject({ reason: 'over_budget', over_by_cents: 30_000, escalate: true });
  });
});

describe('a refusal says what to do', () => {
  const said = (over: Partial<ApprovalFacts>): string | undefined => approvalRefusal(facts(over))?.message;
  const late = { today: '2026-12-02' };
  const other = aUnit({ buyable: false });
  const two = aPlan(campaign, [line, aLine(other, { scheduled_date: '2026-12-09' })]);
  const both = {
    plan: two,
    units: new Map([unit, other].map((one) => [one.unit_id, one])),
    campaign: { ...campaign, budget_cents: null },
    fingerprint: two.terms_fingerprint,
  };

  it.each<[message: string, over: Partial<ApprovalFacts>]>([
    [
      'This plan is signed and can no longer change. Read its campaign for the current state.',
      { plan: { ...plan, status: 'approved' } },
    ],
    [
      'This campaign is archived. Ask a person of the brand to unarchive it.',
      { campaign: { ...campaign, archived_at: NOW } },
    ],
    [
      'These are not the terms of the current quote. Read the quote, decide again, and send its terms_fingerprint and total.',
      { fingerprint: 'other', expectedTotalCents: 1 },
    ],
    [
      "The terms_fingerprint is current, but expected_total_cents is not the plan's total. Read the quote, decide again, and send its total_cents.",
      { expectedTotalCents: 44_999 },
    ],
    [
      "At current prices the plan is over the campaign's budget. Remove a creator, or ask a person to raise it.",
      { campaign: { ...campaign, budget_cents: 44_999 } },
    ],
    ['The date of some lines has passed. Move the dates, or remove these lines.', late],
    ['Some lines are not on sale now. Remove or swap them.', withUnit({ buyable: false })],
    [
      'Some lines are not on sale now; remove or swap them. The date of some has passed; move the dates.',
      { ...both, ...late },
    ],
  ])('%s', (message, over) => {
    expect(said(over)).toBe(message);
  });

  it('allows what is expected, to the cent and the day', () => {
    expect(said({ expectedTotalCents: 45_000 })).toBeUndefined();
    expect(said({ campaign: { ...campaign, budget_cents: 45_000 } })).toBeUndefined();
    expect(said({ today: '2026-12-01' })).toBeUndefined();
  });

  it('names no instant of a signed plan without one', () => {
    expect(approvalRefusal(facts({ plan: { ...plan, status: 'approved' } }))?.details).toEqual({});
  });

  it('asks the mandate for channels, terms, total and months', () => {
    expect(asksOfApproval(facts({ spentCents: 7, currentTerms: null }))).toMatchObject({
      channels: ['x_creators'],
      signing: { current_terms: null, terms_url: 'http://localhost/terms/brand/2026-11-01' },
      total_cents: 45_000,
      spent_cents: 7,
      parent: null,
    });
    expect(asksOfApproval(facts({ parentMonth: { cap_cents: 1, spent_cents: 2 } })).parent).toEqual({
      cap_cents: 1,
      spent_cents: 2,
    });
    expect(channelsOf({ lines: [line, { ...line, channel: 'reddit' }, line] })).toEqual(['x_creators', 'reddit']);
  });
});
