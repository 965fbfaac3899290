import { describe, expect, it } from '@jest/globals';
import { asksOf, type MandateAsked, type MandateLimits, mandateVerdict } from './mandate-verdict.js';

const NOW = new Date('2026-11-21T12:00:00.000Z');
const LATER = '2026-12-21T12:00:00.000Z';

const limits = (over: Partial<MandateLimits> = {}): MandateLimits => ({
  max_plan_cents: 1_000,
  monthly_cap_cents: 1_000,
  channels: ['x_creators'],
  may_approve: true,
  expires_at: LATER,
  terms_version: '2026-11-01',
  ...over,
});

/** An approve that the limits above allow. */
const approve = (over: Partial<MandateAsked> = {}): MandateAsked => ({
  ...asksOf(NOW, {
    channels: ['x_creators', 'x_creators'],
    signing: { current_terms: '2026-11-01', terms_url: 'https://app.test/terms/brand/2026-11-01' },
    total_cents: 100,
    spent_cents: 900,
  }),
  ...over,
});

/** Each reason with what causes it, in the order of the checks: an earlier one wins over all below it. */
const REASONS: readonly (readonly [
  reason: string,
  mandate: Partial<MandateLimits> | null,
  asked: Partial<MandateAsked>,
])[] = [
  ['no_mandate', null, {}],
  ['mandate_expired', { expires_at: NOW.toISOString() }, {}],
  ['channel_not_allowed', {}, { channels: ['x_creators', 'podcast'] }],
  ['approval_not_allowed', { may_approve: false }, {}],
  ['terms_not_accepted', { terms_version: null }, {}],
  ['over_max_plan_total', { max_plan_cents: 99 }, {}],
  ['over_monthly_cap', {}, { spent_cents: 901 }],
];

describe('what a mandate says of a write (docs/domain/orders.md#mandate-checks)', () => {
  it('allows an approve that reaches every limit without passing it', () => {
    expect(mandateVerdict(limits(), approve())).toBeNull();
    expect(mandateVerdict(limits({ max_plan_cents: 100 }), approve())).toBeNull();
    expect(mandateVerdict(limits({ expires_at: '2026-11-21T12:00:00.001Z' }), approve())).toBeNull();
  });

  it.each(REASONS.map((row, index) => [row[0], index] as const))(
    '%s wins over every reason below it',
    (reason, index) => {
      const failing = REASONS.slice(index).filter(([, mandate]) => mandate !== null || index === 0);
      const mandate = index === 0 ? null : limits(Object.assign({}, ...failing.map(([, over]) => over)));
      const asked = approve(Object.assign({}, ...failing.map(([, , over]) => over)));
      expect(mandateVerdict(mandate, asked)).toMatchObject({
        code: 'mandate_refused',
        reason,
        details: { escalate: true },
      });
    },
  );

  it('tests no signature and no amount where none is asked for', () => {
    const tight = limits({ may_approve: false, terms_version: null, max_plan_cents: 1, monthly_cap_cents: 1 });
    expect(mandateVerdict(tight, asksOf(NOW, { channels: ['x_creators'] }))).toBeNull();
    expect(mandateVerdict(tight, asksOf(NOW, { total_cents: 2 }))?.reason).toBe('over_max_plan_total');
    expect(mandateVerdict(limits({ monthly_cap_cents: 1 }), asksOf(NOW, { total_cents: 2 }))).toBeNull();
  });

  it('asks for no acceptance before the first brand terms are published', () => {
    const signing = { current_terms: null, terms_url: null };
    expect(mandateVerdict(limits({ terms_version: null }), approve({ signing }))).toBeNull();
  });

  it.each([
    ['spent plus total is the cap', 900, 100, 1_000, null],
    ['one cent over', 901, 100, 1_000, 1],
    ['a cap lowered under what is spent', 900, 100, 500, 500],
    ['a cap of 0', 0, 1, 0, 1],
  ])('states by how much the monthly cap is exceeded: %s (docs/domain/orders.md#spend, I18)', (...row) => {
    const [, spent_cents, total_cents, monthly_cap_cents, over] = row;
    const refusal = mandateVerdict(limits({ monthly_cap_cents }), approve({ spent_cents, total_cents }));
    expect(refusal?.details['over_by_cents'] ?? null).toBe(over);
  });

  it('states every figure of a refusal (docs/domain/orders.md#refusal-details)', () => {
    expect(mandateVerdict(limits({ max_plan_cents: 40 }), approve())?.details).toEqual({
      escalate: true,
      limit_cents: 40,
      requested_cents: 100,
      over_by_cents: 60,
    });
    expect(mandateVerdict(limits(), approve({ spent_cents: 950 }))?.details).toEqual({
      escalate: true,
      limit_cents: 1_000,
      spent_cents: 950,
      requested_cents: 100,
      over_by_cents: 50,
    });
    expect(mandateVerdict(limits({ terms_version: null }), approve())?.details).toEqual({
      escalate: true,
      current_version: '2026-11-01',
      accepted_version: null,
      url: 'https://app.test/terms/brand/2026-11-01',
    });
    expect(mandateVerdict(limits({ expires_at: '2026-11-01T00:00:00.000Z' }), approve())?.details).toEqual({
      escalate: true,
      expired_at: '2026-11-01T00:00:00.000Z',
    });
    expect(mandateVerdict(limits(), approve({ channels: ['podcast', 'x_creators', 'podcast'] }))?.details).toEqual({
      escalate: true,
      channels: ['podcast'],
    });
  });
});
