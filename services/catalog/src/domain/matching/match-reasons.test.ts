import { describe, expect, it } from '@jest/globals';
import { matchReasons, type ReasonFacts, topicText } from './match-reasons.js';

const facts = (over: Partial<ReasonFacts> = {}): ReasonFacts => ({
  audience: [
    { id: 'startup-founders', weight: 0.6 },
    { id: 'investors', weight: 0.4 },
  ],
  weights: [{ id: 'startup-founders', w: 0.33, posts: 14 }],
  postsHeld: 30,
  topic: 0.49,
  reach: 0.69,
  engagement: 0.69,
  medianViews: 18_000,
  engagementRate: 2.1,
  launches: { count: 0, partnerships: 0, segments: [] },
  ...over,
});
const kinds = (over: Partial<ReasonFacts>) => matchReasons(facts(over)).map(({ kind }) => kind);
const texts = (over: Partial<ReasonFacts>) => matchReasons(facts(over)).map(({ text }) => text);

describe('the reasons of a match', () => {
  it.each([
    ['topic', { topic: 0.5 }, 'Posts on startup founders in 14 of the last 30 posts.'],
    ['reach', { reach: 0.74 }, 'Median of 18,000 views a post over 30 days, above 74% of approved creators.'],
    [
      'a share rounded half up',
      { reach: 0.745 },
      'Median of 18,000 views a post over 30 days, above 75% of approved creators.',
    ],
    [
      'past launches',
      { launches: { count: 2, partnerships: 0, segments: ['startup-founders', 'sales'] } },
      'Took part in 2 launches for startup founders in the last 12 months.',
    ],
    ['engagement', { engagement: 0.8 }, 'Engagement of 2.10% by views, above 80% of its reach band.'],
  ])('describe %s', (_name, over, text) => {
    expect(texts(over)).toEqual([text]);
  });

  it.each<[string, Partial<ReasonFacts>, string[]]>([
    ['nothing under each bound', {}, []],
    ['reach from 0.7', { reach: 0.7 }, ['reach']],
    ['engagement from 0.7', { engagement: 0.7 }, ['engagement']],
    ['no reach without a median', { reach: 0.9, medianViews: null }, []],
    ['no topic that only the bio names', { topic: 0.8, weights: [{ id: 'startup-founders', w: 0.3, posts: 0 }] }, []],
    [
      'the first three of four',
      { topic: 1, reach: 1, engagement: 1, launches: { count: 1, partnerships: 1, segments: ['investors'] } },
      ['topic', 'reach', 'past_launches'],
    ],
  ])('include %s', (_name, over, expected) => {
    expect(kinds(over)).toEqual(expected);
  });

  it('count one launch, and name each matching segment', () => {
    expect(texts({ launches: { count: 1, partnerships: 0, segments: ['investors', 'startup-founders'] } })).toEqual([
      'Took part in 1 launch for startup founders and venture investors in the last 12 months.',
    ]);
  });

  it('never rank a creator above everybody', () => {
    expect(texts({ reach: 0.998 })[0]).toContain('above 99%');
  });
});

describe('what ties a creator to an audience (docs/domain/plans.md#line-texts)', () => {
  it.each<[string, Partial<ReasonFacts>, string | null]>([
    ['names its strongest segment of the audience', {}, 'posts on startup founders in 14 of the last 30 posts'],
    [
      'weighs by the audience, and passes over a segment that the creator lacks',
      {
        audience: [
          { id: 'gaming', weight: 0.7 },
          { id: 'investors', weight: 0.3 },
        ],
        weights: [
          { id: 'startup-founders', w: 0.6, posts: 20 },
          { id: 'investors', w: 0.16, posts: 7 },
        ],
      },
      'posts on venture investors in 7 of the last 30 posts',
    ],
    [
      'prefers what covers more of the audience',
      {
        weights: [
          { id: 'startup-founders', w: 0.1, posts: 4 },
          { id: 'investors', w: 0.3, posts: 12 },
        ],
      },
      'posts on venture investors in 12 of the last 30 posts',
    ],
    [
      'says so where only the bio names it',
      { weights: [{ id: 'investors', w: 0.3, posts: 0 }] },
      'venture investors in the bio',
    ],
    [
      'names a segment outside the audience where the creator has none inside',
      { weights: [{ id: 'gaming', w: 0.5, posts: 1 }], postsHeld: 1 },
      'posts on gaming in 1 of the last post',
    ],
    ['is null without a segment', { weights: [] }, null],
  ])('%s', (_name, over, text) => {
    expect(topicText(facts(over))).toBe(text);
  });
});
