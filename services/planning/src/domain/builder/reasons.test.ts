import type { Candidate } from '@cds/contracts';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { aCandidate, FOUNDERS } from '../../test/builders.js';
import { briefs, networks } from '../../test/networks.js';
import { LEFT_OUT, POST_TWICE } from '../constants.js';
import { type Brief, type Choice, choose } from './build.js';
import { type Option, offered } from './candidates.js';
import { columnsOf } from './columns.js';
import { limitsOf } from './limits.js';
import { NO_ANSWERS } from './value.js';

const LAUNCH: Brief = { goal: 'launch', audience: FOUNDERS, capCents: 500_000, postTwice: false };

/** f of options by its definition (docs/domain/plans.md#plan-value), and whether they keep every limit. */
const judge = (candidates: readonly Candidate[], brief: Brief) => {
  const pool = offered(candidates, { ...brief, answers: NO_ANSWERS });
  const limits = limitsOf(pool, brief);
  const { reach, views, segments, band } = columnsOf(pool, limits, brief.audience);
  return {
    limits,
    value: (options: readonly Option[]): number => {
      const held = new Float64Array(reach.length);
      for (const option of options) {
        const place = pool.options.findIndex(
          ({ unit, lines }) => unit.unit_id === option.unit.unit_id && lines === option.lines,
        );
        for (let segment = 0; segment < segments; segment += 1) {
          const group = (band[place] ?? 0) * segments + segment;
          held[group] = (held[group] ?? 0) + (views[place * segments + segment] ?? 0);
        }
      }
      return reach.reduce(
        (sum, most, group) => sum + (most > 0 ? most * -Math.expm1(-(held[group] ?? 0) / most) : 0),
        0,
      );
    },
    fits: (options: readonly Option[]): boolean => {
      const lines = (some: readonly Option[]) => some.reduce((sum, option) => sum + option.lines, 0);
      return (
        options.reduce((sum, { cents }) => sum + cents, 0) <= limits.capCents &&
        lines(options) <= limits.lines &&
        [...limits.bandLines].every(
          ([of, most]) => lines(options.filter(({ candidate }) => candidate.reach_band === of)) <= most,
        )
      );
    },
  };
};

const once = (option: Option): Option => ({ ...option, lines: 1, value: option.value / POST_TWICE.value });

describe('the reasons of a choice (docs/adr/0013-the-rationale-speaks-of-the-plan-as-built.md)', () => {
  it('give each line what the plan would lose without it', () => {
    fc.assert(
      fc.property(networks({ minLength: 1, maxLength: 30 }), briefs, (candidates, brief) => {
        const { choice } = choose(candidates, brief);
        if (choice === null) return;
        const { value } = judge(candidates, brief);
        expect(value(choice.options)).toBeCloseTo(choice.value, 6);
        choice.options.forEach((option, at) => {
          const rest = choice.options.filter((one) => one !== option);
          const without = value(option.lines === 2 ? [...rest, once(option)] : rest);
          expect(choice.marginal[at] ?? -1).toBeCloseTo(choice.value - without, 4);
        });
      }),
      { numRuns: 80, seed: 11 },
    );
  });

  it('say what each creator left out would add, and why, truthfully', () => {
    const seen = new Set<string>();
    fc.assert(
      fc.property(networks({ minLength: 5, maxLength: 40 }), briefs, (candidates, brief) => {
        const { choice } = choose(candidates, brief);
        if (choice === null) return;
        const { value, fits, limits } = judge(candidates, brief);
        const held = new Set(choice.options.map(({ owner }) => owner));
        expect(choice.leftOut.length).toBeLessThanOrEqual(LEFT_OUT.kept);
        expect(new Set(choice.leftOut.map(({ option }) => option.owner)).size).toBe(choice.leftOut.length);
        for (const { option, value: gained, reason, limit } of choice.leftOut) {
          seen.add(`${reason} ${limit}`);
          const beside = [...choice.options, option];
          const rise = value(beside) - choice.value;
          expect(held.has(option.owner)).toBe(false);
          expect(gained).toBeCloseTo(rise, 4);
          expect(gained).toBeGreaterThan(0);
          const exchanges = choice.options
            .map((out) => beside.filter((one) => one !== out))
            .filter(fits)
            .map((after) => value(after) - choice.value);
          const tooDear = option.cents / option.lines > limits.lineCents;
          expect(limit === 'line_price').toBe(tooDear);
          if (tooDear) continue;
          expect(limit === 'spend_rule').toBe(fits(beside));
          if (limit === 'spend_rule') {
            const spent = choice.options.reduce((sum, { cents }) => sum + cents, 0);
            expect(rise / option.cents).toBeLessThan((0.25 * choice.value) / spent + 1e-9);
          } else if (reason === 'value') expect(Math.max(...exchanges)).toBeLessThanOrEqual(1e-6 * choice.value);
          else expect(exchanges).toEqual([]);
        }
      }),
      { numRuns: 200, seed: 12 },
    );
    expect([...seen].sort()).toEqual(
      expect.arrayContaining(['limit line_price', 'price budget', 'price spend_rule', 'value budget', 'value lines']),
    );
  });

  const limitOf = (choice: Choice | null, id: string) => {
    const found = choice?.leftOut.find(({ option }) => option.candidate.creator_id === id);
    return found === undefined ? null : [found.reason, found.limit];
  };

  it('name a full reach band', () => {
    const nanos = Array.from({ length: 8 }, () =>
      aCandidate({ reach_band: 'nano', price_cents: 64_000, expected_views: 30_000 }),
    );
    const micros = Array.from({ length: 8 }, () => aCandidate({ price_cents: 80_000, expected_views: 3_000 }));
    const { choice } = choose([...nanos, ...micros], { ...LAUNCH, capCents: 400_000 }, { spendShare: 0 });
    const left = nanos.filter(
      ({ creator_id }) => !choice?.options.some(({ candidate }) => candidate.creator_id === creator_id),
    );
    expect(left.map(({ creator_id }) => limitOf(choice, creator_id))).toContainEqual(['value', 'reach_band']);
  });

  it('leave out creators who alone cost more than the budget', () => {
    const dear = aCandidate({ price_cents: 600_000, expected_views: 900_000 });
    const some = Array.from({ length: 3 }, () => aCandidate());
    const { choice } = choose([dear, ...some], LAUNCH);
    expect(limitOf(choice, dear.creator_id)).toBeNull();
  });

  it('put the best deal first', () => {
    const cheap = Array.from({ length: 4 }, () => aCandidate({ price_cents: 10_000, expected_views: 20_000 }));
    const some = [4_000, 6_000, 5_000].map((expected_views) => aCandidate({ price_cents: 10_000, expected_views }));
    const { choice } = choose([...cheap, ...some], { ...LAUNCH, capCents: 40_000 });
    expect(choice?.leftOut.map(({ option }) => option.unit.expected_views)).toEqual([6_000, 5_000, 4_000]);
  });
});
