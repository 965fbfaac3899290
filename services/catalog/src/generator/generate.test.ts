import { describe, expect, it } from '@jest/globals';
import { wordsOf } from '../domain/audience/normalise.js';
import { median } from '../domain/statistics.js';
import { generateCreator } from './generate.js';
import { Stream } from './stream.js';

const AS_OF = new Date('2026-11-21T12:00:00.000Z');
const many = Array.from({ length: 1_500 }, (_none, index) => generateCreator(1, index, AS_OF));
const share = (holds: (one: (typeof many)[number]) => boolean) => many.filter(holds).length / many.length;

describe('the network generator', () => {
  it('is deterministic, and differs by seed and index', () => {
    expect(generateCreator(1, 7, AS_OF)).toEqual(generateCreator(1, 7, AS_OF));
    expect(generateCreator(2, 7, AS_OF).generated?.id).not.toBe(generateCreator(1, 7, AS_OF).generated?.id);
  });

  it('keeps ids, followers and prices for a later date', () => {
    const later = generateCreator(1, 7, new Date('2026-12-24T00:00:00.000Z'));
    const before = generateCreator(1, 7, AS_OF);
    expect(later.generated).toEqual(before.generated);
    expect(later.units.map((unit) => unit.ask_cents)).toEqual(before.units.map((unit) => unit.ask_cents));
    expect([later.handle, later.followers, later.bio]).toEqual([before.handle, before.followers, before.bio]);
  });

  it('makes no post newer than its creator was read', () => {
    for (const { posts, generated } of many) {
      const syncedAt = AS_OF.getTime() - (generated?.refresh_failed === true ? 86_400_000 : 0);
      expect(Math.max(0, ...posts.map(({ created_at }) => created_at.getTime()))).toBeLessThanOrEqual(syncedAt);
    }
  });

  it('generates unique version 4 ids and unique handles', () => {
    const ids = many.flatMap(({ generated }) => [generated?.id, ...Object.values(generated?.unit_ids ?? {})]);
    expect(new Set(ids).size).toBe(many.length * 4);
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(new Set(many.map(({ handle }) => handle)).size).toBe(many.length);
    for (const { handle, url } of many) {
      expect(handle).toMatch(/^demo_[A-Za-z0-9_]{1,10}$/);
      expect(url).toBe(`https://example.com/${handle}`);
    }
  });

  it('follows its distributions', () => {
    expect(median(many.map(({ followers }) => followers ?? 0))).toBeGreaterThan(24_000);
    expect(median(many.map(({ followers }) => followers ?? 0))).toBeLessThan(32_000);
    expect(share(({ generated }) => generated?.status === 'approved')).toBeCloseTo(0.62, 1);
    expect(share(({ units }) => units.length > 0)).toBeCloseTo(0.7, 1);
    expect(share(({ country }) => country !== null)).toBeCloseTo(0.45, 1);
    expect(share(({ language }) => language !== null)).toBeCloseTo(0.9, 1);
    expect(share(({ posts }) => posts.some((post) => post.paid_partnership))).toBeGreaterThan(0.1);
  });

  it('prices from $30 in steps of $5, at most 45 days ago', () => {
    for (const unit of many.flatMap(({ units }) => units)) {
      const allIn = unit.ask_cents / 0.75;
      expect(allIn % 500).toBe(0);
      expect(allIn).toBeGreaterThanOrEqual(3_000);
      expect(unit.as_of >= '2026-10-07' && unit.as_of <= '2026-11-21').toBe(true);
    }
  });

  it('writes no mentions, links or handles', () => {
    const words = new Set(
      many.flatMap(({ posts, bio }) => [...posts.map(({ text }) => text), bio ?? '']).flatMap(wordsOf),
    );
    expect([...words].filter((word) => /demo|http|www/.test(word))).toEqual([]);
  });

  it('draws standard normals', () => {
    const stream = new Stream(1, 1);
    const drawn = Array.from({ length: 20_000 }, () => stream.normal());
    const mean = drawn.reduce((sum, one) => sum + one, 0) / drawn.length;
    expect(mean).toBeCloseTo(0, 1);
    expect(Math.sqrt(drawn.reduce((sum, one) => sum + (one - mean) ** 2, 0) / drawn.length)).toBeCloseTo(1, 1);
  });
});
