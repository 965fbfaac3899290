import { describe, expect, it } from '@jest/globals';
import { toCreator } from './deliverable.js';

describe('what a creator is asked to deliver (docs/domain/plans.md#line-texts)', () => {
  it.each([
    ['One quote of your launch post, with #ad', 'One quote of the brand’s launch post, with #ad'],
    ['One quote of the post you name, with #ad', 'One quote of the post that the brand names, with #ad'],
    ['One post, with #ad', 'One post, with #ad'],
  ])('reads "%s" from the creator’s side', (deliverable, text) => {
    expect(toCreator(deliverable)).toBe(text);
  });
});
