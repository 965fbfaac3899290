import type { Candidate } from '@cds/contracts';
import { describe, expect, it } from '@jest/globals';
import { aCandidate } from '../../test/builders.js';
import { acceptance, NO_ANSWERS, qualifiedViews } from './value.js';

type Goal = Parameters<typeof qualifiedViews>[2]['goal'];

/** q of 1,000 views at a full match, without a record of offers: 700 before any tilt. */
const postValue = (over: Partial<Candidate>, goal: Goal = 'feature', format: 'post' | 'quote' = 'post'): number => {
  const candidate = aCandidate({ match_score: 100, posts_per_week: 1, expected_views: 1_000, ...over });
  const unit = candidate.units[0];
  if (unit === undefined) throw new Error('a candidate sells something');
  return qualifiedViews(candidate, { ...unit, format }, { goal, offers: NO_ANSWERS.offersOf(candidate.creator_id) });
};

describe('the value of a post (docs/domain/plans.md#plan-value)', () => {
  it.each<[string, number, Parameters<typeof postValue>]>([
    ['a full match counts all its views, times the probability of acceptance', 700, [{}]],
    ['no match still counts 15%', 105, [{ match_score: 0 }]],
    ['an audience without segments counts as a match of 50', 402.5, [{ match_score: null }]],
    ['figures of the creator’s own upload count 80%', 560, [{ views_source: 'creator' }]],
    ['a quote counts more for a launch', 770, [{}, 'launch', 'quote']],
    ['a quote counts more for funding', 770, [{}, 'funding', 'quote']],
    ['a quote counts no more for a feature', 700, [{}, 'feature', 'quote']],
    ['three posts a week count more for a program', 770, [{ posts_per_week: 3 }, 'program']],
    ['fewer do not', 700, [{ posts_per_week: 2.9 }, 'program']],
    ['an unknown rhythm does not', 700, [{ posts_per_week: null }, 'program']],
    ['a country inside the regions counts more', 805, [{ in_regions: true }]],
    ['a country outside counts less', 490, [{ in_regions: false }]],
    ['an unknown country changes nothing', 700, [{ in_regions: null }]],
  ])('%s', (_name, value, given) => {
    expect(postValue(...given)).toBeCloseTo(value, 9);
  });

  it('weighs a creator’s own answers against a prior of five offers', () => {
    expect(acceptance({ accepted: 0, answered: 0 })).toBeCloseTo(0.7, 12);
    expect(acceptance({ accepted: 5, answered: 5 })).toBeCloseTo(0.85, 12);
    expect(acceptance({ accepted: 0, answered: 5 })).toBeCloseTo(0.35, 12);
  });
});
