import { AppError, catalogOperations, type Problem, SEGMENT_IDS } from '@cds/contracts';
import { proves } from '@cds/service/testing';
import { describe, expect, test } from '@jest/globals';
import { readQuery } from '../http/query.js';
import { validate } from './validate.js';

/** How the edge reads the query of GET /creators: the input, or the fields that it refuses with 400. */
const read = (query: string): { input: Record<string, unknown> } | { refused: string[] } => {
  const { values, problems } = readQuery(query);
  try {
    return {
      input: validate(catalogOperations.creators_search, { params: {}, query: values, body: {}, problems }).input,
    };
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'bad_request') throw error;
    return { refused: ((error.details?.['problems'] ?? []) as Problem[]).map(({ field }) => field) };
  }
};

const ids = (count: number): string => [...SEGMENT_IDS].slice(0, count).join(',');
const text = (of: string, count: number): string => encodeURIComponent(of.repeat(count));

describe('every limit of a list (docs/domain/network.md#lists)', () => {
  test.each<[query: string, input: Record<string, unknown>]>([
    ['', {}],
    ['limit=1', { limit: 1 }],
    ['limit=50', { limit: 50 }],
    ['offset=0', { offset: 0 }],
    ['offset=1', { offset: 1 }],
    ['offset=1000000', { offset: 1_000_000 }],
    ['budget=1', { budget: 1 }],
    ['q=x', { q: 'x' }],
    [`q=${text('x', 100)}`, { q: 'x'.repeat(100) }],
    [`q=${text('😀', 100)}`, { q: '😀'.repeat(100) }],
    [`q=${text('x', 100)}%20`, { q: 'x'.repeat(100) }],
    ['q=.*%2B(%5B', { q: '.*+([' }],
    ['followers_min=0', { followers_min: 0 }],
    ['followers_min=9&followers_max=9', { followers_min: 9, followers_max: 9 }],
    ['followers_min=8&followers_max=9', { followers_min: 8, followers_max: 9 }],
    ['price_min=9&price_max=9', { price_min: 9, price_max: 9 }],
    ['er_min=0', { er_min: 0 }],
    ['er_min=0.01', { er_min: 0.01 }],
    ['er_min=100', { er_min: 100 }],
    ['er_min=100.00', { er_min: 100 }],
    [`match=${ids(1)}`, { match: ids(1) }],
    [`match=${ids(10)}`, { match: ids(10) }],
    ['match=sales&match_min=0', { match: 'sales', match_min: 0 }],
    ['match=sales&match_min=100', { match: 'sales', match_min: 100 }],
    ['segment=sales', { segment: 'sales' }],
    ['fit=false', { fit: false }],
    ['country=x', { country: 'x' }],
    [`country=${text('x', 100)}`, { country: 'x'.repeat(100) }],
  ])('accepts ?%s', (query, input) => {
    expect(read(query)).toEqual({ input });
  });

  test.each<[query: string, refused: string[]]>([
    ...[
      '0',
      '51',
      '-1',
      '1.0',
      '1.5',
      '1e1',
      '%2B5',
      '+5',
      '5+',
      '%205%20',
      '0x10',
      'NaN',
      'Infinity',
      '',
      '٣',
      '1_0',
    ].map((value): [string, string[]] => [`limit=${value}`, ['limit']]),
    ...['-1', '-0.5', '1e3', 'NaN', '0x0', '%2B0', ''].map((value): [string, string[]] => [
      `offset=${value}`,
      ['offset'],
    ]),
    ...['0', '-1', '0.5', '1e3', 'NaN', ''].map((value): [string, string[]] => [`budget=${value}`, ['budget']]),
    ...['-0.01', '100.01', '101', '1.234', '1e1', 'NaN', 'Infinity', '%2B5', '%205', '0x10', '.', ''].map(
      (value): [string, string[]] => [`er_min=${value}`, ['er_min']],
    ),
    ...['-1', '1.5', '1e3', 'NaN', '%2B5', '0x10', '99999999999999999999'].flatMap((value): [string, string[]][] =>
      ['followers_min', 'followers_max', 'price_min', 'price_max'].map((name) => [`${name}=${value}`, [name]]),
    ),
    ['q=', ['q']],
    ['q=%20%09', ['q']],
    [`q=${text('x', 101)}`, ['q']],
    [`q=${text('😀', 101)}`, ['q']],
    ['q=%ff', ['q']],
    ['followers_min=10&followers_max=9', ['followers_min']],
    ['price_min=10&price_max=9', ['price_min']],
    ['match_min=50', ['match_min']],
    ['match_min=50&segment=sales', ['match_min']],
    ['match=sales&match_min=-1', ['match_min']],
    ['match=sales&match_min=101', ['match_min']],
    ['match=', ['match']],
    [`match=${ids(11)}`, ['match']],
    ['match=sales,nobody', ['match']],
    ['match=Sales', ['match']],
    ['segment=nobody', ['segment']],
    ['segment=sales,marketing', ['segment']],
    ['fit=1', ['fit']],
    ['fit=True', ['fit']],
    ['reach_band=huge', ['reach_band']],
    ['goal=party', ['goal']],
    ['format=video', ['format']],
    ['sort=name', ['sort']],
    ['dir=up', ['dir']],
    [`country=${text('x', 101)}`, ['country']],
    ['limit=5&limit=5', ['limit']],
    ['match=sales&match=marketing', ['match']],
    ['page=2', ['page']],
    ['Limit=5', ['Limit']],
    ['__proto__=1', ['__proto__']],
  ])('refuses ?%s', (query, refused) => {
    proves('creators.bad-query');
    expect(read(query)).toEqual({ refused });
  });

  test('names every problem at once', () => {
    proves('creators.bad-query');
    expect(read('limit=0&offset=-1&budget=0&er_min=1.234&match_min=5&q=&page=2&sort=x')).toEqual({
      refused: expect.arrayContaining(['limit', 'offset', 'budget', 'er_min', 'match_min', 'q', 'page', 'sort']),
    });
  });
});
