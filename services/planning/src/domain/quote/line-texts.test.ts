import { describe, expect, it } from '@jest/globals';
import { aLine, aUnit } from '../../test/builders.js';
import { beforePayment, deliverableOf, reasonOf } from './line-texts.js';

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

describe('what a line delivers, before payment (docs/domain/plans.md#line-texts)', () => {
  const unit = aUnit({ deliverable: 'One post by quill_rae, pinned for a day' });
  const shown = (deliverable: string) =>
    beforePayment([aLine(unit)], new Map([[unit.unit_id, { ...unit, deliverable }]]), null)[0]?.deliverable;
  it.each([
    ['the same text', unit.deliverable, unit.deliverable],
    ['a text with words left out', 'One post by, pinned for a day', 'One post by, pinned for a day'],
    ['a text with another word', 'One post by me, pinned for a day', unit.deliverable],
    ['a text with words in another order', 'Pinned for a day: one post', unit.deliverable],
    ['a text with a word twice', 'One post, one day', unit.deliverable],
  ])('of %s', (_name, now, text) => {
    expect(shown(now)).toBe(text);
  });

  it('of a unit that is gone is as it was planned', () => {
    const line = aLine(unit);
    expect(beforePayment([line], new Map(), null)).toEqual([line]);
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
