import { describe, expect, test } from '@jest/globals';
import type { Document } from './document.js';
import { search, searchIndex } from './search.js';

const aDocument = (path: string, area: Document['area'], markdown: string): Document => ({
  path,
  area,
  title: /^# (.+)/.exec(markdown)?.[1] ?? '',
  summary: 'A summary.',
  markdown,
});

const INDEX = searchIndex([
  aDocument('/docs/reference/a', 'reference', '# Sign\n\nSign a plan.\n\n## Refusals\n\nThe mandate refuses a plan.\n'),
  aDocument(
    '/docs/guides/b',
    'guides',
    '# Signing\n\nHow to sign.\n\n## Mandates\n\nA mandate limits what a key signs.\n',
  ),
]);
const paths = (query: string): string[] => search(INDEX, query).map(({ path }) => path);

describe('the search', () => {
  test.each([
    ['every word must be there', 'mandate refuses', ['/docs/reference/a#refusals']],
    [
      'a heading is worth more than text, and what is repeated least',
      'mandate',
      ['/docs/guides/b#mandates', '/docs/reference/a#refusals'],
    ],
    ['capitals and marks do not count', 'MANDATE, "limits"', ['/docs/guides/b#mandates']],
    ['what is nowhere finds nothing', 'nowhere', []],
    ['marks alone find nothing', '"*[', []],
  ])('%s', (_rule, query, expected) => {
    expect(paths(query)).toEqual(expected);
  });

  test('a result shows the words around what was found', () => {
    expect(search(INDEX, 'limits')[0]).toEqual({
      title: 'Mandates',
      place: 'Signing',
      path: '/docs/guides/b#mandates',
      excerpt: 'A mandate limits what a key signs.',
    });
  });
});
