import { SEGMENTS } from '@cds/contracts';
import { describe, expect, it } from '@jest/globals';
import { wordsOf } from './normalise.js';
import { ALIASES } from './phrases.js';
import { equalWeights, resolveAudience } from './segments.js';

const idsOf = (text: string) => resolveAudience(text).segments.map(({ id }) => id);

describe('the words of a text', () => {
  it.each([
    ['C++ and C# developers', ['c++', 'and', 'c#', 'developer']],
    ['Companies, analysts & boss', ['company', 'analyst', 'boss']],
    ['Ｆｕｌｌ width; status is ads', ['full', 'width', 'status', 'is', 'ads']],
  ])('%p', (text, words) => {
    expect(wordsOf(text)).toEqual(words);
  });
});

describe('text to segments', () => {
  it('weighs labels equally when they are equally rare and long', () => {
    expect(resolveAudience('startup founders and AI builders')).toEqual({
      segments: [
        { id: 'ai-builders', label: 'AI builders', weight: 0.5 },
        { id: 'startup-founders', label: 'Startup founders', weight: 0.5 },
      ],
      unresolved: false,
    });
  });

  it.each([
    ['a singular', 'one startup founder', ['startup-founders']],
    ['another case and dashes', 'STARTUP-FOUNDERS', ['startup-founders']],
    ['whole words only', 'cosmarketingology', []],
    ['buying words', 'display ads budget campaign', []],
    ['nothing', '', []],
    ['an unknown audience', 'people who like things', []],
  ])('resolves %s', (_name, text, ids) => {
    expect(idsOf(text)).toEqual(ids);
    expect(resolveAudience(text).unresolved).toBe(ids.length === 0);
  });

  it.each(SEGMENTS.map(({ id, label }) => [label, id]))('finds %p by its label', (label, id) => {
    expect(idsOf(label)[0]).toBe(id);
  });

  it('finds every segment by each of its phrases', () => {
    const missed = SEGMENTS.flatMap(({ id }) => (ALIASES[id] ?? []).filter((alias) => !idsOf(alias).includes(id)));
    expect(missed).toEqual([]);
  });

  it('keeps at most five segments, and weights that sum to 1', () => {
    const { segments } = resolveAudience('sales, marketing, gaming, travel, sports, science and education');
    expect(segments).toHaveLength(5);
    expect(segments.reduce((sum, { weight }) => sum + weight, 0)).toBeCloseTo(1, 12);
  });

  it('gives the segments of match equal weights, each once', () => {
    expect(equalWeights(['sales', 'gaming', 'sales'])).toEqual([
      { id: 'sales', label: 'Sales', weight: 0.5 },
      { id: 'gaming', label: 'Gaming', weight: 0.5 },
    ]);
  });
});
