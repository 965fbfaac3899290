import type { Candidate } from '@cds/contracts';
import { addDays, daysBetween } from '@cds/service/calendar';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { aCampaign, aCandidate, NOW, TODAY } from '../../test/builders.js';
import { AUDIENCE, networks } from '../../test/networks.js';
import { totalOf } from '../plan.js';
import { firstDay } from '../schedule/schedule.js';
import { buildPlan } from './new-plan.js';

type Goal = 'launch' | 'funding' | 'feature' | 'program';
const goals = fc.constantFrom<Goal[]>('launch', 'funding', 'feature', 'program');

const build = (candidates: Candidate[], capCents: number, goal: Goal, days = 19) => {
  let id = 0;
  const newId = () => {
    id += 1;
    return `id-${id}`;
  };
  const campaign = aCampaign({ goal, budget_cents: capCents, segments: AUDIENCE });
  return buildPlan({ ...campaign, window_end: addDays(campaign.window_start, days) }, candidates, {
    mandateCents: null,
    now: NOW,
    today: TODAY,
    newId,
  });
};

describe('a new plan (docs/domain/plans.md#plan-builder, docs/domain/plans.md#dates, docs/domain/plans.md#properties)', () => {
  it('keeps to the cap, with dates inside the window, distinct for each creator (property 1)', () => {
    fc.assert(
      fc.property(
        networks({ minLength: 1, maxLength: 30 }),
        fc.integer({ min: 500, max: 3_000_000 }),
        goals,
        fc.nat(40),
        (candidates, cap, goal, days) => {
          const { plan } = build(candidates, cap, goal, days);
          if (plan === null) return;
          expect(totalOf(plan.lines)).toBeLessThanOrEqual(cap);
          expect(plan.lines.length).toBeGreaterThan(0);
          expect(plan.lines.length).toBeLessThanOrEqual(40);
          const posts = plan.lines.map((line) => `${line.creator_id} ${line.scheduled_date}`);
          expect(new Set(posts).size).toBe(posts.length);
          const window = {
            start: plan.launch_window_start,
            end: plan.launch_window_end,
            momentOffset: plan.moment_offset,
          };
          const onSale = new Map(candidates.flatMap(({ units }) => units.map((unit) => [unit.unit_id, unit])));
          for (const line of plan.lines) {
            expect([line.channel, line.price_cents]).toEqual([
              'x_creators',
              onSale.get(line.unit_id ?? '')?.price_cents,
            ]);
            expect(line.scheduled_date >= firstDay(goal, window, TODAY)).toBe(true);
            expect(line.scheduled_date <= plan.launch_window_end).toBe(true);
          }
        },
      ),
      { numRuns: 100, seed: 1 },
    );
  });

  it('is the same plan for the same candidates in any order, its lines, dates and reasons too (property 2)', () => {
    fc.assert(
      fc.property(
        networks({ minLength: 1, maxLength: 20 }).chain((all) =>
          fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length })),
        ),
        fc.integer({ min: 500, max: 2_000_000 }),
        goals,
        ([candidates, shuffled], cap, goal) => {
          const [plan, same, other] = [candidates, candidates, shuffled].map((one) => {
            const { campaign_id: _id, ws: _ws, ...rest } = build(one, cap, goal).plan ?? {};
            return rest;
          });
          expect(same).toEqual(plan);
          expect(other).toEqual(plan);
        },
      ),
      { numRuns: 60, seed: 2 },
    );
  });

  it('stores the gap with the plan', () => {
    const { plan } = build([aCandidate(), aCandidate()], 100_000, 'launch');
    expect(plan?.gap).toBeGreaterThanOrEqual(0);
    expect(plan?.gap).toBeLessThan(1);
  });

  it('has one creator post twice in a program, at least a week apart', () => {
    const { plan } = build([aCandidate({ weights: [0.4, 0, 0] })], 100_000, 'program');
    const [first, second] = plan?.lines ?? [];
    expect(plan?.lines.map((line) => line.creator_id)).toEqual([first?.creator_id, first?.creator_id]);
    expect(new Set(plan?.lines.map((line) => line.id)).size).toBe(2);
    expect(daysBetween(first?.scheduled_date ?? '', second?.scheduled_date ?? '')).toBeGreaterThanOrEqual(7);
  });

  it('has a creator post once when a program has one day', () => {
    expect(build([aCandidate({ weights: [0.4, 0, 0] })], 100_000, 'program', 0).plan?.lines).toHaveLength(1);
  });
});
