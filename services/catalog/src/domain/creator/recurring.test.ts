import { describe, expect, it } from '@jest/globals';
import { recurringIn } from './recurring.js';

describe('what recurs in posts', () => {
  it('stands in three posts at least, the most frequent first, then by the alphabet', () => {
    const texts = [
      'Solar power and #climate again',
      'Solar power is cheap, #climate',
      'More solar power #climate',
      'solar power',
      'wind power once, wind power twice',
    ];
    expect(recurringIn(texts)).toEqual(['solar power', '#climate']);
  });

  it('counts a post once and no stop words', () => {
    expect(recurringIn(['red fox red fox', 'red fox', 'one of the', 'one of the', 'one of the'])).toEqual([]);
  });
});
