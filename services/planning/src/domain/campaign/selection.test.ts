import type { CampaignInput } from '@cds/contracts';
import { describe, expect, it } from '@jest/globals';
import { aCandidate } from '../../test/builders.js';
import type { Selection } from '../plan.js';
import { ANYONE, askedBy, narrows, selected, selectionOf } from './selection.js';

/** docs/domain/plans.md#candidates. */
describe('a selection', () => {
  type Asked = Pick<CampaignInput, 'max_creators' | 'formats' | 'max_price_usd' | 'exclude_creator_ids'>;
  it.each<[what: string, asked: Asked, selection: Partial<Selection>]>([
    ['of anybody', {}, {}],
    ['of so many creators', { max_creators: 3 }, { max_creators: 3 }],
    ['of formats', { formats: ['post', 'quote'] }, { formats: ['post', 'quote'] }],
    ['up to a price in whole cents', { max_price_usd: 19.99 }, { max_price_cents: 1_999 }],
    ['without creators', { exclude_creator_ids: ['ab', 'cd'] }, { exclude_creator_ids: ['ab', 'cd'] }],
  ])('%s is what was asked', (_what, asked, selection) => {
    expect(selectionOf(asked)).toEqual({ ...ANYONE, ...selection });
    expect(askedBy(selectionOf(asked))).toEqual(asked);
  });

  it('names each format and each creator once, whatever the case of an id', () => {
    expect(selectionOf({ formats: ['post', 'post'], exclude_creator_ids: ['AB', 'ab'] })).toMatchObject({
      formats: ['post'],
      exclude_creator_ids: ['ab'],
    });
  });

  it.each<[narrow: boolean, what: string, over: Partial<Selection>]>([
    [false, 'of anybody', {}],
    [false, 'of so many creators, which the builder sees to', { max_creators: 1 }],
    [true, 'of formats', { formats: ['post'] }],
    [true, 'up to a price', { max_price_cents: 1 }],
    [true, 'without a creator', { exclude_creator_ids: ['ab'] }],
  ])('narrows the candidates: %s, %s', (narrow, _what, over) => {
    expect(narrows({ ...ANYONE, ...over })).toBe(narrow);
  });
});

describe('the candidates that a selection leaves', () => {
  const [unit] = aCandidate().units;
  if (unit === undefined) throw new Error('a candidate sells a post');
  const post = { ...unit, price_cents: 50_000 };
  const quote = { ...unit, format: 'quote' as const, price_cents: 30_000 };
  const candidate = aCandidate({ creator_id: 'ab', units: [post, quote] });

  it.each<[what: string, over: Partial<Selection>, units: object[]]>([
    ['all of anybody', {}, [post, quote]],
    ['a unit of exactly the price', { max_price_cents: 50_000 }, [post, quote]],
    ['no unit a cent dearer', { max_price_cents: 49_999 }, [quote]],
    ['units of the formats', { formats: ['post'] }, [post]],
    ['units of the formats up to the price', { formats: ['post'], max_price_cents: 49_999 }, []],
  ])('have %s', (_what, over, units) => {
    expect(selected([candidate], { ...ANYONE, ...over })).toEqual([{ ...candidate, units }]);
  });

  it('are not those that are excluded', () => {
    const other = { ...candidate, creator_id: 'cd' };
    expect(selected([candidate, other], { ...ANYONE, exclude_creator_ids: ['ab'] })).toEqual([other]);
  });
});
