import { mandateOf, mandateUnder } from '@cds/gateway/testing';
import { type ApprovalFacts, aCampaign, aLine, aPlan, approvalRefusal, aUnit, NOW, TODAY } from '@cds/planning/testing';
import { asksOf, mandateVerdict } from '@cds/rules';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';

type Stored = NonNullable<Parameters<typeof mandateUnder>[0]>;

const CHANNELS = ['x_creators', 'reddit', 'podcast'];
const PRICE = 100;
const TERMS = '2026-11-01';

/** The first value in most cases, else one of the others. */
const mostly = <T>(usual: T, ...others: T[]): fc.Arbitrary<T> =>
  fc.constantFrom(...Array.from({ length: 9 }, () => usual), ...others);

const someMandate: fc.Arbitrary<Stored | null> = fc.option(
  fc.record({
    version: fc.constant(1),
    max_plan_cents: fc.integer({ min: 1, max: 6 }).map((lines) => lines * PRICE),
    monthly_cap_cents: fc.integer({ min: 1, max: 8 }).map((lines) => lines * PRICE),
    channels: fc.subarray(CHANNELS, { minLength: 2 }),
    may_approve: mostly(true, false),
    expires_at: fc.constantFrom(0, 1, 1, 2, 2, 3).map((days) => new Date(NOW.getTime() + days * 86_400_000)),
    updated_at: fc.constant(NOW),
    terms_version: mostly(TERMS, '2026-01-01', null),
    terms_accepted_at: fc.constant(null),
    terms_accepted_email: fc.constant(null),
  }),
  { freq: 12 },
);
const somePlan = fc.record({ lines: fc.integer({ min: 1, max: 4 }), budget: fc.integer({ min: 1, max: 12 }) });
const someSpend = fc.record({ child: fc.nat(2), others: fc.nat(2) });

const principalMandate = (mandate: Stored | null) => (mandate === null ? null : mandateOf(mandate));

/** The gateway's effective mandate, as planning judges it (docs/domain/access.md#child-keys). */
describe('a child key is never refused less than its parent', () => {
  it('for no channel and no total of a write', () => {
    fc.assert(
      fc.property(someMandate, someMandate, fc.subarray(CHANNELS), fc.nat(8), (own, parents, channels, lines) => {
        const child = principalMandate(mandateUnder(own, parents));
        const parent = principalMandate(parents);
        for (const total_cents of [null, lines * PRICE]) {
          const asked = asksOf(NOW, { channels, total_cents });
          if (mandateVerdict(child, asked) === null) expect(mandateVerdict(parent, asked)).toBeNull();
        }
      }),
      { numRuns: 2_000 },
    );
  });

  it('when it signs a plan, whatever it and the rest of the family have spent', () => {
    let signed = 0;
    fc.assert(
      fc.property(someMandate, someMandate, somePlan, someSpend, (own, parents, of, spend) => {
        const units = Array.from({ length: of.lines }, () => aUnit({ price_cents: PRICE }));
        const campaign = aCampaign({ budget_cents: of.budget * PRICE });
        const facts: Omit<ApprovalFacts, 'mandate' | 'spentCents'> = {
          plan: aPlan(
            campaign,
            units.map((unit) => aLine(unit)),
          ),
          campaign,
          units: new Map(units.map((unit) => [unit.unit_id, unit])),
          currentTerms: { version: TERMS },
          termsUrl: null,
          now: NOW,
          today: TODAY,
        };
        const spentByFamily = (spend.child + spend.others) * PRICE;
        const byChild = approvalRefusal({
          ...facts,
          mandate: principalMandate(mandateUnder(own, parents)),
          spentCents: spend.child * PRICE,
          parentMonth: { cap_cents: parents?.monthly_cap_cents ?? 0, spent_cents: spentByFamily },
        });
        const byParent = approvalRefusal({ ...facts, mandate: principalMandate(parents), spentCents: spentByFamily });
        if (byChild !== null) return;
        signed += 1;
        expect(byParent).toBeNull();
      }),
      { numRuns: 3_000 },
    );
    expect(signed).toBeGreaterThan(30);
  });
});
