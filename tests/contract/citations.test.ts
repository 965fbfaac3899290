import { describe, expect, it } from '@jest/globals';
import { anchorsOf, brokenIn } from '../../tools/check/citations.js';

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
