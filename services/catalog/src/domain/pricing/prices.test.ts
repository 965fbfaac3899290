import { proves } from '@cds/service/testing';
import { describe, expect, it } from '@jest/globals';
import type { CurrentPrice } from '../creator/creator.js';
import { allInCents, currentAfter, DELIVERABLE, FORMAT_LABEL, freshSince, provenanceOf } from './prices.js';

const at = new Date('2026-11-01T10:00:00.000Z');
const stated = (over: Partial<CurrentPrice> = {}): CurrentPrice => ({
  price_cents: 10_000,
  source: 'creator',
  method: 'stated',
  as_of: '2026-11-01',
  recorded_at: at,
  ...over,
});

describe('the all-in price of a net ask', () => {
  it.each([
    ['is the ask over three quarters', 7_500, 10_000],
    ['rounds up to whole five dollars', 7_501, 10_500],
    ['stays where it is on a step', 375, 500],
    ['is at least five dollars', 1, 500],
    ['is at most a million dollars', 900_000_000, 100_000_000],
  ])('%s', (_name, ask, price) => {
    expect(allInCents(ask)).toBe(price);
  });
});

describe('a format', () => {
  it.each([
    ['post', 'Post', 'One post, with the paid partnership label and #ad'],
    ['quote', 'Quote', 'One quote of the post you name, with the paid partnership label and #ad'],
    ['thread', 'Thread', 'One thread of at least 3 posts, with the paid partnership label and #ad'],
  ] as const)('%s is called %s, and is delivered as "%s"', (format, label, deliverable) => {
    expect([FORMAT_LABEL[format], DELIVERABLE[format]]).toEqual([label, deliverable]);
  });
});

describe('the provenance of a price', () => {
  it('is fresh for 30 days', () => {
    expect(freshSince('2026-12-01')).toBe('2026-11-01');
  });

  it('of a stated price lasts through its 30th day and is stale after', () => {
    proves('offerings.no-cost-no-fee');
    expect(provenanceOf(stated(), '2026-12-01')).toEqual({
      source: 'creator',
      method: 'stated',
      measured_at: '2026-11-01T10:00:00.000Z',
      expires_at: '2026-12-02T00:00:00.000Z',
      label: 'Creator-reported',
      stale: false,
      as_of: '2026-11-01T00:00:00.000Z',
    });
    expect(provenanceOf(stated(), '2026-12-02').stale).toBe(true);
  });

  it('of a price set by the team never expires', () => {
    const set = stated({ source: 'team', method: 'set_price' });
    expect(provenanceOf(set, '2030-01-01')).toMatchObject({ label: 'Verified', expires_at: null, stale: false });
  });

  it('of a rate agreed in writing is verified and expires', () => {
    const agreed = stated({ source: 'team', method: 'agreed_rate' });
    expect(provenanceOf(agreed, '2026-12-02')).toMatchObject({
      label: 'Verified',
      expires_at: '2026-12-02T00:00:00.000Z',
      stale: true,
    });
  });
});

describe('the current price', () => {
  const set = stated({ source: 'team', method: 'set_price' });
  const evening = stated({ recorded_at: new Date('2026-11-01T20:00:00.000Z') });
  const again = stated({ ...set, as_of: '2026-11-05' });
  it.each([
    ['is the later record of a day', stated(), evening, evening],
    ['stays when an earlier record of a day arrives late', evening, stated(), evening],
    ['is the last of two records of one moment', stated(), stated({ price_cents: 1 }), stated({ price_cents: 1 })],
    ['follows the team, which set the one before', set, again, again],
    ['is the first one', null, stated(), stated()],
    ['is the newer day', stated(), stated({ as_of: '2026-11-02' }), stated({ as_of: '2026-11-02' })],
    ['stays when an older day arrives late', stated(), stated({ as_of: '2026-10-31' }), stated()],
    ['stays when a creator asks against the team', set, stated({ as_of: '2026-11-05' }), set],
    ['follows the team', stated(), stated({ ...set, as_of: '2026-11-02' }), { ...set, as_of: '2026-11-02' }],
  ])('%s', (_name, held, offered, current) => {
    expect(currentAfter(held, offered)).toEqual(current);
  });
});
