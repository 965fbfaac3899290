import type { Candidate } from '@cds/contracts';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { aCandidate, FOUNDERS } from '../../test/builders.js';
import { exactValue } from '../../test/exact.js';
import { AUDIENCE, briefs, networks } from '../../test/networks.js';
import { type Brief, type Choice, choose } from './build.js';
import { offered } from './candidates.js';
import { limitsOf } from './limits.js';
import { NO_ANSWERS } from './value.js';

const LAUNCH: Brief = { goal: 'launch', audience: FOUNDERS, capCents: 500_000, postTwice: false };
const some = networks({ minLength: 1, maxLength: 40 });

const choiceOf = (...given: Parameters<typeof choose>): Choice | null => choose(...given).choice;
const unitsOf = (choice: Choice | null) => choice?.options.map(({ unit, lines }) => `${unit.unit_id} ${lines}`);
const totalOf = (choice: Choice): number => choice.options.reduce((sum, { cents }) => sum + cents, 0);

describe('the builder (docs/domain/plans.md#plan-builder, docs/domain/plans.md#properties)', () => {
  it('says why there is nothing to choose', () => {
    const dear = aCandidate({ price_cents: 45_000 });
    expect(choose([], LAUNCH).noPlan).toBe('no_candidates');
    expect(choose([aCandidate({ units: [] })], LAUNCH).noPlan).toBe('no_candidates');
    expect(choose([aCandidate({ expected_views: 0 })], LAUNCH).noPlan).toBe('no_candidates');
    expect(choose([dear], { ...LAUNCH, capCents: 44_999 }).noPlan).toBe('budget_too_small');
    expect(choose([dear], { ...LAUNCH, capCents: 45_000 }).noPlan).toBeNull();
  });

  it('keeps to cap, K, one option per creator, line limit and band limit (property 1)', () => {
    fc.assert(
      fc.property(some, briefs, (candidates, brief) => {
        const choice = choiceOf(candidates, brief);
        if (choice === null) return;
        const limits = limitsOf(offered(candidates, { ...brief, answers: NO_ANSWERS }), brief);
        const { options } = choice;
        expect(totalOf(choice)).toBeLessThanOrEqual(brief.capCents);
        expect(options.reduce((sum, { lines }) => sum + lines, 0)).toBeLessThanOrEqual(limits.lines);
        expect(limits.lines).toBeLessThanOrEqual(40);
        expect(new Set(options.map(({ owner }) => owner)).size).toBe(options.length);
        for (const { cents, lines } of options) expect(cents / lines).toBeLessThanOrEqual(limits.lineCents);
        for (const [band, most] of limits.bandLines)
          expect(
            options.reduce((sum, { candidate, lines }) => sum + (candidate.reach_band === band ? lines : 0), 0),
          ).toBeLessThanOrEqual(most);
      }),
      { numRuns: 150, seed: 1 },
    );
  });

  it('has at most four lines and one for every $600, and no line above 35 % of the cap among five or more', () => {
    const sizes = new Set<number>();
    fc.assert(
      fc.property(networks({ minLength: 20, maxLength: 40 }), briefs, (candidates, brief) => {
        const options = choiceOf(candidates, brief)?.options ?? [];
        const lines = options.reduce((sum, option) => sum + option.lines, 0);
        sizes.add(lines);
        expect(lines).toBeLessThanOrEqual(Math.min(40, 4 + Math.floor(brief.capCents / 60_000)));
        if (lines >= 5)
          for (const option of options) expect(option.cents / option.lines).toBeLessThanOrEqual(0.35 * brief.capCents);
      }),
      { numRuns: 60, seed: 9 },
    );
    expect(Math.max(...sizes)).toBeGreaterThan(10);
  });

  it('has at most as many creators as the brief allows', () => {
    fc.assert(
      fc.property(some, briefs, fc.integer({ min: 1, max: 6 }), (candidates, brief, maxCreators) => {
        const options = choiceOf(candidates, { ...brief, maxCreators })?.options ?? [];
        expect(options.length).toBeLessThanOrEqual(maxCreators);
      }),
      { numRuns: 60, seed: 10 },
    );
  });

  it('chooses by falling value, and a post twice only in a program', () => {
    fc.assert(
      fc.property(some, briefs, (candidates, brief) => {
        const options = choiceOf(candidates, brief)?.options ?? [];
        const values = options.map(({ value }) => value);
        expect(values).toEqual([...values].sort((one, other) => other - one));
        for (const { lines, unit } of options.filter((option) => option.lines === 2))
          expect([brief.postTwice, unit.format, lines]).toEqual([true, 'post', 2]);
      }),
      { numRuns: 60, seed: 2 },
    );
  });

  it('ignores creators that are not candidates (property 2)', () => {
    fc.assert(
      fc.property(some, some, briefs, (candidates, others, brief) => {
        const known = new Set(candidates.map(({ creator_id }) => creator_id));
        const declined = others.filter(({ creator_id }) => !known.has(creator_id));
        const answers = { ...NO_ANSWERS, declinedLately: (id: string) => !known.has(id) };
        const idle: Candidate[] = [aCandidate({ units: [] })];
        expect(unitsOf(choiceOf([...declined, ...idle, ...candidates], brief, { answers }))).toEqual(
          unitsOf(choiceOf(candidates, brief)),
        );
      }),
      { numRuns: 60, seed: 4 },
    );
  });

  it('never loses value to a larger cap that starts from the smaller plan too (property 3)', () => {
    fc.assert(
      fc.property(some, briefs, fc.double({ min: 1, max: 3, noNaN: true }), (candidates, brief, times) => {
        const small = choiceOf(candidates, brief);
        if (small === null) return;
        const capCents = Math.round(brief.capCents * times);
        const lineCents = (cap: number) =>
          limitsOf(offered(candidates, { ...brief, answers: NO_ANSWERS }), { capCents: cap }).lineCents;
        fc.pre(lineCents(capCents) >= lineCents(brief.capCents));
        const large = choiceOf(candidates, { ...brief, capCents }, { further: [small.options] });
        expect(large?.value ?? 0).toBeGreaterThanOrEqual(small.value * (1 - 1e-9));
      }),
      { numRuns: 80, seed: 5 },
    );
  });

  it('stays under its bound, with a gap of 0 to under 1 (property 4)', () => {
    fc.assert(
      fc.property(some, briefs, (candidates, brief) => {
        const choice = choiceOf(candidates, brief);
        if (choice === null) return;
        expect(choice.value).toBeLessThanOrEqual(choice.bound);
        expect(choice.gap).toBeGreaterThanOrEqual(0);
        expect(choice.gap).toBeLessThan(1);
      }),
      { numRuns: 150, seed: 6 },
    );
  });

  it('reaches 98% of the exact optimum on 16 candidates, which lies under the bound (property 4)', () => {
    const met = new Set<string>();
    fc.assert(
      fc.property(networks({ minLength: 16, maxLength: 16 }), briefs, (candidates, brief) => {
        const choice = choiceOf(candidates, brief, { spendShare: 0 });
        if (choice === null) return;
        met.add(brief.goal);
        for (const { limit } of choice.leftOut) met.add(limit);
        const exact = exactValue(candidates, brief);
        expect(choice.value).toBeGreaterThanOrEqual(0.98 * exact);
        expect(choice.value).toBeLessThanOrEqual(exact * (1 + 1e-9));
        expect(choice.bound * (1 + 1e-9)).toBeGreaterThanOrEqual(exact);
      }),
      { numRuns: 80, seed: 7 },
    );
    const goals = ['launch', 'funding', 'feature', 'program'];
    expect([...met].sort()).toEqual(
      expect.arrayContaining([...goals, 'budget', 'line_price', 'lines', 'reach_band'].sort()),
    );
  }, 60_000);

  it('comes within 2 % of its bound for 5,000 candidates (property 10)', () => {
    const [candidates = []] = fc.sample(networks({ minLength: 5_000, maxLength: 5_000 }), { numRuns: 1, seed: 8 });
    for (const goal of ['launch', 'program'] as const)
      for (const capCents of [600_000, 5_000_000]) {
        const brief = { goal, audience: AUDIENCE, capCents, postTwice: goal === 'program' };
        expect(choose(candidates, brief).choice?.gap).toBeLessThan(0.02);
      }
  }, 120_000);

  it('leaves money unspent when it would buy under a quarter of the plan’s value per dollar', () => {
    const good = aCandidate({ price_cents: 10_000, expected_views: 40_000 });
    const poor = aCandidate({ price_cents: 10_000, expected_views: 4_000 });
    const brief = { ...LAUNCH, capCents: 20_000 };
    expect(choiceOf([good, poor], brief)?.options.map(({ candidate }) => candidate.creator_id)).toEqual([
      good.creator_id,
    ]);
    expect(choiceOf([good, poor], brief, { spendShare: 0 })?.options).toHaveLength(2);
  });

  it('buys a second topic before more of the first', () => {
    const audience = [
      { id: 'one', label: 'One', weight: 0.5 },
      { id: 'two', label: 'Two', weight: 0.5 },
    ];
    const onTopic = (weights: number[], expected_views: number) =>
      Array.from({ length: 4 }, () => aCandidate({ weights, price_cents: 10_000, expected_views }));
    const [ones, twos] = [onTopic([0.4, 0], 10_000), onTopic([0, 0.4], 9_000)];
    const choice = choiceOf([...ones, ...twos], { ...LAUNCH, audience, capCents: 25_000 });
    expect(choice?.options.map(({ candidate }) => candidate.weights)).toEqual([
      [0.4, 0],
      [0, 0.4],
    ]);
  });
});
