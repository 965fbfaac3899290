import type { Goal } from '@cds/contracts';
import { describe, expect, it } from '@jest/globals';
import { aCandidate } from '../../test/builders.js';
import { NO_ANSWERS } from '../builder/value.js';
import { rankedUnits, replacementsOf } from './ranking.js';

const deliverableIn = (goal: Goal | null): string | undefined => {
  const candidate = aCandidate();
  const units = candidate.units.map((unit) => ({
    ...unit,
    format: 'quote' as const,
    deliverable: 'One quote of the post you name, with #ad',
  }));
  const ranked = rankedUnits([{ ...candidate, units }], { goal, answers: NO_ANSWERS });
  const line = { channel: 'x_creators', format: 'quote' as const, price_cents: 45_000, expected_views: 18_000 };
  return replacementsOf(line, ranked, new Set(), 1, goal)[0]?.deliverable;
};

describe('the deliverable of a replacement (docs/domain/plans.md#line-texts)', () => {
  it.each([
    ['launch', 'One quote of your launch post, with #ad'],
    ['feature', 'One quote of the post you name, with #ad'],
    [null, 'One quote of the post you name, with #ad'],
  ] as const)('of a quote in a campaign of goal %s', (goal, text) => {
    expect(deliverableIn(goal)).toBe(text);
  });
});
