import { describe, expect, it } from '@jest/globals';
import { listed } from './listed.js';

describe('a list in a file of data', () => {
  it('is its phrases in their order', () => {
    expect(listed().parse('AI builders, C++, prompts')).toEqual(['AI builders', 'C++', 'prompts']);
  });

  it.each([
    ['nothing', ''],
    ['an empty phrase', 'AI, , ML'],
    ['a comma at its end', 'AI, '],
    ['a comma without a space', 'AI,ML'],
    ['two spaces in a phrase', 'machine  learning'],
  ])('with %s is refused', (_what, text) => {
    expect(listed().safeParse(text).success).toBe(false);
  });

  it('holds codes only where they are asked for', () => {
    expect(listed(/^[A-Z]{2}$/).safeParse('DE, AT').success).toBe(true);
    expect(listed(/^[A-Z]{2}$/).safeParse('DE, Austria').success).toBe(false);
  });
});
