import { describe, expect, test } from '@jest/globals';
import { publishLinks, sectionsOf, slugOf } from './links.js';

const published = (file: string, anchor: string): string | null =>
  file === 'texts/parts/b.md' ? `/docs/guides/b${anchor === '' ? '' : `#${anchor}`}` : null;

describe('links of the repository on our pages', () => {
  test.each([
    ['a file beside it', '[B](b.md)', '[B](/docs/guides/b)'],
    ['an anchor of a file', '[B](b.md#part)', '[B](/docs/guides/b#part)'],
    ['a file by a way around', '[B](../parts/b.md)', '[B](/docs/guides/b)'],
    ['a file without a page becomes its words', 'see [C](../c.md).', 'see C.'],
    ['another site', '[x](https://cds.example/)', '[x](https://cds.example/)'],
    ['words over the end of a line', 'see [B\npart](b.md#part).', 'see [B\npart](/docs/guides/b#part).'],
    ['words over a line, without a page', 'see [C\npart](../c.md).', 'see C\npart.'],
    ['no link over a paragraph', '[B\n\npart](b.md)', '[B\n\npart](b.md)'],
    ['text after code', '```\n[B](b.md)\n```\n[B](b.md)', '```\n[B](b.md)\n```\n[B](/docs/guides/b)'],
    ['code is left as it is', '```\n[B](b.md)\n```', '```\n[B](b.md)\n```'],
  ])('%s', (_case, text, expected) => {
    expect(publishLinks('texts/parts/a.md', text, published)).toBe(expected);
  });

  test.each([
    ['Plan `current`', 'plan-current'],
    ['Approve: checks', 'approve-checks'],
    ['1. Read coverage', '1-read-coverage'],
    ['Reasons of mandate_refused', 'reasons-of-mandate_refused'],
  ])('the anchor of %s is %s', (heading, anchor) => {
    expect(slugOf(heading)).toBe(anchor);
  });

  test('a text has a section for each heading outside code', () => {
    const text = '# A\nintro\n## B\n```\n# no heading\n```\n## B\n';
    expect(sectionsOf(text).map(({ anchor }) => anchor)).toEqual(['a', 'b', 'b-1']);
  });
});
