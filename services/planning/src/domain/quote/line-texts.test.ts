import { describe, expect, it } from '@jest/globals';
import { deliverableOf, reasonOf, slotOf } from './line-texts.js';

const at = (date: string, goal: Parameters<typeof slotOf>[0]['goal'], format: string | null = 'post') =>
  slotOf({ date, windowStart: '2027-03-10', momentOffset: 2, goal, format });

describe('the slot of a post (docs/domain/plans.md#line-texts)', () => {
  it.each([
    ['the moment of a launch', at('2027-03-12', 'launch', 'quote'), 'Launch day, quote'],
    ['the moment of a funding', at('2027-03-12', 'funding'), 'Announcement day, post'],
    ['the moment of a feature', at('2027-03-12', 'feature'), 'Release day, post'],
    ['the first day without a goal', at('2027-03-12', null), 'Day 1, post'],
    ['a day of the first week', at('2027-03-14', 'launch'), 'Day 3, post'],
    ['its last day', at('2027-03-18', 'launch'), 'Day 7, post'],
    ['a later week', at('2027-03-19', 'launch', 'thread'), 'Week 2, thread'],
    ['days before', at('2027-03-10', 'feature'), '2 days before, post'],
    ['the day before', at('2027-03-11', 'feature'), '1 day before, post'],
    ['a program, by weeks of its window', at('2027-03-12', 'program'), 'Week 1, post'],
    ['its second week', at('2027-03-17', 'program'), 'Week 2, post'],
    ['a line without a format', at('2027-03-12', 'launch', null), 'Launch day'],
  ])('names %s', (_name, slot, text) => {
    expect(slot).toBe(text);
  });
});

describe('the deliverable of a line (docs/domain/plans.md#line-texts)', () => {
  const quote = { format: 'quote', deliverable: 'One quote of the post you name, with #ad' } as const;
  it.each([
    ['launch', 'One quote of your launch post, with #ad'],
    ['feature', quote.deliverable],
    ['program', quote.deliverable],
    [null, quote.deliverable],
  ] as const)('of a quote in a campaign of goal %s', (goal, text) => {
    expect(deliverableOf(quote, goal)).toBe(text);
  });

  it('of a post, or of a creator’s own words, is as on sale', () => {
    expect(deliverableOf({ format: 'post', deliverable: 'One post' }, 'launch')).toBe('One post');
    expect(deliverableOf({ ...quote, deliverable: 'My best quote' }, 'launch')).toBe('My best quote');
  });
});

describe('the reason of a line (docs/domain/plans.md#line-texts)', () => {
  const TOPIC = 'posts on startup founders in 14 of the last 30 posts';
  const measured = { match_label: 'Strong match', match_topic: TOPIC, views_low: 9_000, views_high: 27_000 };
  it.each([
    ['match and views', reasonOf(measured, false), `Strong match: ${TOPIC}; 9,000 to 27,000 expected views.`],
    [
      'the match alone where catalog does not say what the creator is about',
      reasonOf({ match_label: 'Weak match', views_low: 1, views_high: 2 }, false),
      'Weak match; 1 to 2 expected views.',
    ],
    [
      'only views without an audience',
      reasonOf({ ...measured, match_label: null }, false),
      '9,000 to 27,000 expected views.',
    ],
    [
      'that the brand added it',
      reasonOf(measured, true),
      `Added by you. Strong match: ${TOPIC}; 9,000 to 27,000 expected views.`,
    ],
    [
      'that nothing was measured',
      reasonOf({ match_label: null, match_topic: null, views_low: null, views_high: null }, false),
      'No views forecast yet.',
    ],
    [
      'that nothing was measured, in place of the figures',
      reasonOf({ ...measured, views_low: null, views_high: null }, true),
      `Added by you. Strong match: ${TOPIC}; no views forecast yet.`,
    ],
  ])('names %s', (_name, reason, text) => {
    expect(reason).toBe(text);
  });
});
