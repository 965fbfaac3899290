import { describe, expect, it } from '@jest/globals';
import { recurringIn } from './recurring.js';

describe('what recurs in posts', () => {
  it('needs at least three posts, most frequent first, then alphabetical', () => {
    const texts = [
      'Solar power and #climate again',
      'Solar power is cheap, #climate',
      'More solar power #climate',
      'solar power',
      'wind power once, wind power twice',
    ];
    expect(recurringIn(texts)).toEqual(['solar power', '#climate']);
  });

  it('counts a post once and ignores stop words', () => {
    expect(recurringIn(['red fox red fox', 'red fox', 'one of the', 'one of the', 'one of the'])).toEqual([]);
  });
});
