import { describe, expect, it } from '@jest/globals';
import { anchorsOf, brokenIn, oldFormsIn } from '../../tools/check/citations.js';
import { commentsOf } from '../../tools/check/comments.js';

const PAGES = new Map([
  ['docs/domain/orders.md', new Set(['approve'])],
  ['ARCHITECTURE.md', new Set(['the-picture'])],
]);
const broken = (text: string, path = 'services/billing/src/a.ts'): string[] =>
  brokenIn(
    path,
    text,
    (page) => PAGES.get(page),
    (number) => number === '0012',
  ).map((one) => `${one.line}: ${one.message}`);

describe('the check of citations', () => {
  it('passes pages, headings and decisions that exist', () => {
    expect(broken('// docs/domain/orders.md#approve, docs/domain/orders.md and ADR 0012')).toEqual([]);
    expect(broken('// See ARCHITECTURE.md#the-picture and [ADR-0012].')).toEqual([]);
  });

  it.each([
    [
      'a page that is not there',
      '/** docs/domain/carts.md#approve */',
      '1: docs/domain/carts.md#approve: there is no such page',
    ],
    [
      'a heading that is not there',
      '\n// docs/domain/orders.md#sign',
      '2: docs/domain/orders.md#sign: the page has no such heading',
    ],
    ['a decision that is not there', '// ADR 0099', '1: ADR 0099: there is no such decision in docs/adr'],
  ])('names %s', (_what, text, finding) => {
    expect(broken(text)).toEqual([finding]);
  });

  it('reads sources only, and no page of another repository', () => {
    expect(broken('docs/domain/carts.md', 'docs/README.md')).toEqual([]);
    expect(broken('// https://github.com/a/b/blob/main/docs/carts.md')).toEqual([]);
  });
});

describe('old citations', () => {
  const old = (text: string, path = 'services/billing/src/a.test.ts'): string[] =>
    oldFormsIn(path, text).map((one) => `${one.line}: ${one.message.split(':')[0]}`);

  it.each([
    ['a page and a section', '/** Signs (domain 3-orders 4.2). */', '1: 3-orders'],
    ['a section of another page', '\n// Once (reliability 3.5).', '2: reliability 3.5'],
    ['a citation across two lines', '/**\n * Signs (reliability\n * 3.5).\n */', '2: reliability 3.5'],
    ['the specification by a title', '// A quote (spec, "Quote").', '1: spec, "'],
    ['the name of a test', "it('signs (4-doors 10)', () => {});", '1: 4-doors'],
  ])('are refused: %s', (_what, text, finding) => {
    expect(old(text)).toEqual([finding]);
  });

  it('are not looked for in code, nor where they are quoted', () => {
    expect(old("const design = 'design 5'; // 3 designs, and a stack of 5")).toEqual([]);
    expect(old('design 5', 'CHANGELOG.md')).toEqual([]);
  });
});

describe('the anchors of a page', () => {
  it('are its headings as GitHub names them', () => {
    expect(anchorsOf('# Orders\n## Who may `approve`?\n### GET /plans/{id}\n')).toEqual(
      new Set(['orders', 'who-may-approve', 'get-plansid']),
    );
  });

  it('are numbered when a heading comes again, and may be set by hand', () => {
    expect(anchorsOf('## Rules\n## Rules\n<a id="old-name"></a>\n')).toEqual(new Set(['rules', 'rules-1', 'old-name']));
  });

  it('are not taken from code', () => {
    expect(anchorsOf('```sh\n# a comment\n```\n## Real\n')).toEqual(new Set(['real']));
  });
});

describe('the comments of a source', () => {
  it.each([
    ['a line', 'const a = 1; // one', ['// one']],
    ['a block', '/** One.\n * Two. */\nconst a = 1;', ['/** One.\n * Two. */']],
    ['none in a text', "const a = 'http://x'; const b = `// \u0024{c ? '//' : \"/*\"}`;", []],
    ['none in a regular expression', 'const a = /[/*]\\/\\//.test(b); // real', ['// real']],
    ['one after a division', 'const a = b / c; // real', ['// real']],
  ])('are found: %s', (_what, source, comments) => {
    expect(commentsOf(source).map((one) => one.text)).toEqual(comments);
  });
});
