import { proves } from '@cds/service/testing';
import { describe, expect, it } from '@jest/globals';
import { matchLabel, matchScore, reaches, topicOf } from './score.js';

const AUDIENCE = [
  { id: 'a', weight: 0.6 },
  { id: 'b', weight: 0.4 },
];
const on = (weights: Record<string, number>) => (id: string) => weights[id] ?? 0;

describe('the match score', () => {
  it('matches the worked example', () => {
    const topic = topicOf(AUDIENCE, on({ a: 0.4, b: 0.1 }));
    expect(topic).toBeCloseTo(0.714, 3);
    expect(matchScore({ topic, reach: 0.74, engagement: 0.5, launches: 1 / 3 })).toBe(65);
  });

  it.each([
    [
      'takes 0.3 for an unmeasured reach and 0.4 for unknown engagement',
      { topic: 1, reach: null, engagement: null, launches: 0 },
      67,
    ],
    ['keeps a creator off the topic at 30', { topic: 0.14, reach: 1, engagement: 1, launches: 1 }, 30],
    ['lets a creator at the bound go over 30', { topic: 0.15, reach: 1, engagement: 1, launches: 1 }, 53],
    ['is 0 for nothing', { topic: 0, reach: 0, engagement: 0, launches: 0 }, 0],
    ['is 100 for everything', { topic: 1, reach: 1, engagement: 1, launches: 1 }, 100],
  ])('%s', (_name, parts, score) => {
    expect(matchScore(parts)).toBe(score);
  });

  it.each([
    [71, 'Strong match'],
    [70, 'Good match'],
    [51, 'Good match'],
    [50, 'Partial match'],
    [31, 'Partial match'],
    [30, 'Weak match'],
  ])('of %p is labelled %p', (score, label) => {
    proves('creators.match-labels');
    expect(matchLabel(score)).toBe(label);
  });

  it('names an audience that is not the brand’s own', () => {
    expect(matchLabel(71, 'gaming')).toBe('Strong match for gaming');
  });
});

describe('reaching an audience', () => {
  it.each([
    ['one segment from 0.15 is enough', { b: 0.15 }, true],
    ['less on every segment is not', { a: 0.149, b: 0.149 }, false],
    ['another segment does not count', { c: 1 }, false],
  ])('%s', (_name, weights, reached) => {
    expect(reaches(AUDIENCE, on(weights))).toBe(reached);
  });
});
