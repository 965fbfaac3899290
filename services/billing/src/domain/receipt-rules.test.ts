import type { PrincipalMandate } from '@cds/contracts';
import { asksOf, type MandateAsked, mandateVerdict } from '@cds/rules';
import { aMandate } from '@cds/service/testing';
import { describe, expect, it } from '@jest/globals';
import { aHold } from '../test/builders.js';
import type { Hold } from './authority.js';
import { passedRules, refusedRules } from './receipt-rules.js';

const NOW = new Date('2026-11-21T12:00:00Z');
const EVIDENCE = {
  at: NOW.toISOString(),
  budget_cents: 50_000,
  lines: [
    {
      line_id: 'line',
      unit_id: 'unit',
      scheduled_date: '2026-12-03',
      price_cents: 30_000,
      current_price_cents: 20_000,
      on_sale: true,
    },
  ],
};

/** The hold of an approve of $300 with $100 spent; of a child key when it has a parent. */
const held = (
  mandate: PrincipalMandate | null,
  over: { parent?: { cap: number; spent: number }; asked?: Partial<MandateAsked> } = {},
): { hold: Hold; asked: MandateAsked } => {
  const { principal, facts } = aHold();
  const { parent } = over;
  const asked = asksOf(NOW, {
    channels: ['x_creators'],
    signing: { current_terms: '2026-11-01', terms_url: null },
    total_cents: 30_000,
    spent_cents: 10_000,
    parent: parent === undefined ? null : { cap_cents: parent.cap, spent_cents: parent.spent },
    ...over.asked,
  });
  const hold = aHold({
    total_cents: 30_000,
    principal: {
      ...principal,
      mandate,
      ...(parent !== undefined && {
        parent: { key: 'the parent', monthly_cap_cents: parent.cap, mandate_version: 1 },
      }),
    },
    facts: {
      ...facts,
      current_terms: { version: '2026-11-01', number: 1 },
      spent_cents: 10_000,
      ...(parent !== undefined && { parent_spent_cents: parent.spent }),
    },
    check: { request_id: 'req', at: NOW, asked },
  });
  return { hold, asked };
};

const refusedBy = (...args: Parameters<typeof held>) => {
  const { hold, asked } = held(...args);
  const refusal = mandateVerdict(hold.principal.mandate, asked);
  if (refusal === null) throw new Error('the mandate allows it');
  return refusedRules(hold, EVIDENCE, { reason: refusal.reason, ...refusal.details });
};

describe('the checks in the receipt of a signing (docs/domain/orders.md#receipts)', () => {
  it('are all that approve makes, in its order, each passed and with its figures', () => {
    const { hold } = held(aMandate({ max_plan_cents: 40_000, monthly_cap_cents: 60_000 }));
    expect(passedRules(hold, EVIDENCE)).toEqual(
      [
        ['plan_signed', {}],
        ['archived', {}],
        ['no_mandate', { mandate_version: 1 }],
        ['mandate_expired', { now: NOW.toISOString(), expires_at: '2099-01-01T00:00:00.000Z' }],
        ['channel_not_allowed', { channels: ['x_creators'], allowed: ['x_creators'] }],
        ['approval_not_allowed', { may_approve: true }],
        ['terms_not_accepted', { current_version: '2026-11-01', accepted_version: '2026-11-01' }],
        ['terms_changed', { terms_fingerprint: 'tf', version: 1 }],
        ['over_budget', { budget_cents: 50_000, total_cents: 20_000 }],
        ['lines_blocked', { lines: 1 }],
        ['over_max_plan_total', { limit_cents: 40_000, requested_cents: 30_000 }],
        [
          'over_monthly_cap',
          { key_id: hold.principal.key, limit_cents: 60_000, spent_cents: 10_000, requested_cents: 30_000 },
        ],
        ['payments_closed', {}],
        ['rail_not_offered', { rail: 'checkout', offered: [] }],
      ].map(([rule, figures]) => ({ rule, passed: true, figures })),
    );
  });

  it('include the cap of the parent for a child key', () => {
    const { hold } = held(aMandate(), { parent: { cap: 80_000, spent: 50_000 } });
    expect(passedRules(hold, EVIDENCE).filter(({ rule }) => rule === 'over_monthly_cap')).toMatchObject([
      { figures: { key_id: hold.principal.key, spent_cents: 10_000 } },
      { figures: { key_id: 'the parent', limit_cents: 80_000, spent_cents: 50_000, requested_cents: 30_000 } },
    ]);
  });

  it('name the rails that were offered, and what was asked where a request is known', () => {
    const { hold } = held(aMandate());
    const options = (['checkout', 'invoice'] as const).map((rail) => ({ rail, label: '', clears: '' }));
    const offered = { ...hold, facts: { ...hold.facts, payment_options: options }, total_cents: 1 };
    const figuresOf = (of: Hold, rule: string) => passedRules(of, EVIDENCE).find((one) => one.rule === rule)?.figures;
    expect(figuresOf(offered, 'rail_not_offered')).toEqual({ rail: 'checkout', offered: ['checkout', 'invoice'] });
    expect(figuresOf(offered, 'over_max_plan_total')).toMatchObject({ requested_cents: 30_000 });
    const { check: _check, ...unasked } = offered;
    expect(figuresOf(unasked, 'over_max_plan_total')).toMatchObject({ requested_cents: 1 });
  });

  it('claim no price that planning did not report', () => {
    const rules = passedRules(held(aMandate()).hold, undefined);
    expect(rules.filter(({ rule }) => rule === 'over_budget' || rule === 'lines_blocked')).toEqual([
      { rule: 'over_budget', passed: true, figures: {} },
      { rule: 'lines_blocked', passed: true, figures: {} },
    ]);
  });
});

describe('the checks in the receipt of a refusal', () => {
  it.each([
    ['no_mandate', null, {}, 3, { escalate: true }],
    ['mandate_expired', aMandate({ expires_at: NOW.toISOString() }), {}, 4, { expired_at: NOW.toISOString() }],
    ['channel_not_allowed', aMandate({ channels: ['reddit'] }), {}, 5, { channels: ['x_creators'] }],
    ['approval_not_allowed', aMandate({ may_approve: false }), {}, 6, { escalate: true }],
    ['terms_not_accepted', aMandate({ terms_version: null }), {}, 7, { accepted_version: null }],
    ['over_max_plan_total', aMandate({ max_plan_cents: 29_999 }), {}, 11, { limit_cents: 29_999, over_by_cents: 1 }],
    ['over_monthly_cap', aMandate({ monthly_cap_cents: 39_999 }), {}, 12, { spent_cents: 10_000, over_by_cents: 1 }],
    [
      'over_monthly_cap',
      aMandate({ monthly_cap_cents: 40_000 }),
      { parent: { cap: 40_000, spent: 10_001 } },
      13,
      { spent_cents: 10_001, over_by_cents: 1 },
    ],
    [
      'over_monthly_cap',
      aMandate({ monthly_cap_cents: 39_999 }),
      { parent: { cap: 39_999, spent: 39_999 } },
      12,
      { spent_cents: 10_000, over_by_cents: 1 },
    ],
  ])('end with %s and its details', (rule, mandate, over, length, figures) => {
    const rules = refusedBy(mandate, over);
    expect(rules).toHaveLength(length);
    expect(rules.at(-1)).toMatchObject({ rule, passed: false, figures });
    expect(rules.at(-1)?.figures).not.toHaveProperty('reason');
    expect(rules.slice(0, -1).every(({ passed }) => passed)).toBe(true);
  });

  it('end with the cap that was refused when prices moved after the first checks', () => {
    const { hold } = held(aMandate({ monthly_cap_cents: 45_000 }));
    const details = { reason: 'over_monthly_cap', limit_cents: 45_000, spent_cents: 10_000, requested_cents: 35_001 };
    expect(refusedRules(hold, EVIDENCE, details).at(-1)).toEqual({
      rule: 'over_monthly_cap',
      passed: false,
      figures: { limit_cents: 45_000, spent_cents: 10_000, requested_cents: 35_001 },
    });
  });

  it('end with the cap of the parent where the two have one limit', () => {
    const { hold } = held(aMandate({ monthly_cap_cents: 40_000 }), { parent: { cap: 40_000, spent: 20_000 } });
    const details = { reason: 'over_monthly_cap', limit_cents: 40_000, spent_cents: 20_000 };
    expect(refusedRules(hold, EVIDENCE, details)).toHaveLength(13);
  });

  it('end with the cap of the parent where the two have spent the same', () => {
    const { hold } = held(aMandate({ monthly_cap_cents: 50_000 }), { parent: { cap: 40_000, spent: 10_000 } });
    const details = { reason: 'over_monthly_cap', limit_cents: 40_000, spent_cents: 10_000 };
    expect(refusedRules(hold, EVIDENCE, details)).toHaveLength(13);
  });

  it('hold of the details what a receipt can', () => {
    const { hold } = held(null);
    const kept = { escalate: true, url: 'https://app.example.com', left: null, cents: 1, channels: ['reddit'] };
    const dropped = { at: new Date(0), share: 0.5, mixed: ['reddit', 1], nested: { a: 1 }, none: undefined };
    expect(refusedRules(hold, EVIDENCE, { reason: 'no_mandate', ...kept, ...dropped }).at(-1)?.figures).toEqual(kept);
  });

  it('are those of approve only', () => {
    expect(() => refusedRules(held(null).hold, EVIDENCE, { reason: 'unknown' })).toThrow(
      'unknown is not a check of approve',
    );
  });
});
