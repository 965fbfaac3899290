import type { Candidate } from '@cds/contracts';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { aCampaign, aCandidate, NOW, TODAY } from '../test/builders.js';
import { choose } from './builder.js';
import { buildPlan } from './new-plan.js';
import { totalOf } from './plan.js';
import { firstDay } from './schedule.js';

const someCandidates = fc.array(
  fc
    .record({
      price_cents: fc.integer({ min: 500, max: 500_000 }),
      expected_views: fc.integer({ min: 1, max: 1_000_000 }),
    })
    .map(aCandidate),
  { maxLength: 30 },
);
const aGoal = fc.constantFrom('launch', 'funding', 'feature', 'program' as const);

const build = (
  candidates: Candidate[],
  capCents: number,
  goal: 'launch' | 'funding' | 'feature' | 'program' = 'launch',
) => {
  let id = 0;
  const newId = () => {
    id += 1;
    return `id-${id}`;
  };
  return buildPlan(aCampaign({ goal, budget_cents: capCents }), candidates, {
    capCents,
    now: NOW,
    today: TODAY,
    newId,
  });
};

describe('the plan builder (domain 2-plans 3, 9)', () => {
  it('says why there is no plan', () => {
    expect(choose([], 100).noPlan).toBe('no_candidates');
    expect(choose([aCandidate({ units: [] })], 100).noPlan).toBe('no_candidates');
    expect(choose([aCandidate({ price_cents: 45_000 })], 44_999).noPlan).toBe('budget_too_small');
    expect(choose([aCandidate({ price_cents: 45_000 })], 45_000).noPlan).toBeNull();
  });

  it('keeps to the cap, one option per creator, and dates inside the window from the first day on', () => {
    fc.assert(
      fc.property(someCandidates, fc.integer({ min: 500, max: 5_000_000 }), aGoal, (candidates, cap, goal) => {
        const { plan } = build(candidates, cap, goal);
        if (plan === null) return;
        expect(totalOf(plan.lines)).toBeLessThanOrEqual(cap);
        expect(plan.lines.length).toBeGreaterThan(0);
        expect(plan.lines.length).toBeLessThanOrEqual(40);
        expect(new Set(plan.lines.map((line) => line.creator_id)).size).toBe(plan.lines.length);
        const window = {
          start: plan.launch_window_start,
          end: plan.launch_window_end,
          momentOffset: plan.moment_offset,
        };
        for (const line of plan.lines) {
          expect(line.scheduled_date >= firstDay(goal, window, TODAY)).toBe(true);
          expect(line.scheduled_date <= plan.launch_window_end).toBe(true);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('builds the same plan from the same candidates in any order', () => {
    fc.assert(
      fc.property(someCandidates, fc.integer({ min: 500, max: 5_000_000 }), (candidates, cap) => {
        const chosen = (order: Candidate[]) => choose(order, cap).options?.map((option) => option.unit.unit_id);
        expect(chosen([...candidates].reverse())).toEqual(chosen(candidates));
      }),
    );
  });

  it('prefers more qualified views for the money', () => {
    const good = aCandidate({ price_cents: 40_000, expected_views: 40_000 });
    const poor = aCandidate({ price_cents: 40_000, expected_views: 4_000 });
    expect(choose([poor, good], 40_000).options?.map((option) => option.candidate.creator_id)).toEqual([
      good.creator_id,
    ]);
  });

  it('answers in two seconds for 5,000 candidates', () => {
    const many = Array.from({ length: 5_000 }, (_, index) =>
      aCandidate({
        price_cents: 5_000 + ((index * 7_919) % 200_000),
        expected_views: 1_000 + ((index * 104_729) % 90_000),
      }),
    );
    const before = performance.now();
    expect(build(many, 5_000_000).plan?.lines).toHaveLength(40);
    expect(performance.now() - before).toBeLessThan(2_000);
  });
});
