import { describe, expect, it } from '@jest/globals';
import { anchorsOf, brokenIn } from '../../tools/check/citations.js';
import { columnsIn } from '../../tools/check/columns.js';
import { wordsIn } from '../../tools/check/words.js';

const FILE = 'services/billing/src/a.ts';
const LONG = 'word '.repeat(30).trim();

/** Each check of `npm run check` that is ours finds what it is for. */
describe('the check of citations', () => {
  const pages = new Map([['docs/domain/orders.md', new Set(['approve'])]]);
  const broken = (text: string): string[] =>
    brokenIn(
      FILE,
      text,
      (page) => pages.get(page),
      (number) => number === '0012',
    ).map(({ message }) => message);

  it('passes pages, headings and decisions that exist', () => {
    expect(broken('// docs/domain/orders.md#approve and ADR 0012, https://github.com/a/b/docs/carts.md')).toEqual([]);
  });

  it.each([
    ['// docs/domain/carts.md#approve', 'docs/domain/carts.md#approve: there is no such page'],
    ['// docs/domain/orders.md#sign', 'docs/domain/orders.md#sign: the page has no such heading'],
    ['// ADR 0099', 'ADR 0099: there is no such decision in docs/adr'],
  ])('finds that %s leads nowhere', (text, finding) => {
    expect(broken(text)).toEqual([finding]);
  });

  it('knows headings by the names that GitHub gives them', () => {
    const page = '# Who may `approve`?\n## Rules\n## Rules\n```sh\n# a comment\n```\n<a id="old-name"></a>\n';
    expect(anchorsOf(page)).toEqual(new Set(['who-may-approve', 'rules', 'rules-1', 'old-name']));
  });
});

describe('the check of words', () => {
  it.each(['// Left to the completer.', 'const REST_DOOR = 1;', 'new LaunchTeller()', "from './launch-teller.js'"])(
    'finds the given-up word in %s',
    (text) => expect(wordsIn(FILE, text)).toHaveLength(1),
  );

  it('leaves longer words and halves of a pair alone', () => {
    expect(wordsIn(FILE, 'outdoor stories, kitchens, the last one to launch')).toEqual([]);
  });
});

describe('the check of columns', () => {
  it.each([
    ['a comment', FILE, `// ${LONG}`],
    ['prose', 'README.md', LONG],
  ])('finds %s past 120 columns', (_what, path, text) => {
    expect(columnsIn(path, text)).toMatchObject([{ line: 1, message: expect.stringContaining('wrap it at 120') }]);
  });

  it.each([
    ['code', FILE, `const a = '${LONG}';`],
    ['a row of a table', 'README.md', `| ${LONG} |`],
  ])('leaves %s alone', (_what, path, text) => {
    expect(columnsIn(path, text)).toEqual([]);
  });
});
