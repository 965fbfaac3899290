import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MongoClient } from 'mongodb';
import { sharedStack } from '../support/stack.js';
import { BOUNDS, DAYS, GROWTH, MOST_BYTES, named, sizesOf } from './bounds.js';
import { collectionsOf } from './collections.js';

const mb = (bytes: number): number => Math.round(bytes / 100_000) / 10;

/** How much disk one key can fill (docs/adr/0028-one-key-cannot-fill-the-disk.md; I77). */
describe('what one key has on the disk', () => {
  let client: MongoClient;
  let collections: Awaited<ReturnType<typeof collectionsOf>>;
  beforeAll(async () => {
    const stack = await sharedStack();
    client = await MongoClient.connect(stack.mongodbUri);
    collections = await collectionsOf(client, stack);
  }, 150_000);
  afterAll(() => client.close());

  it('is stated for every collection of the system, once, or why no key makes it grow', async () => {
    const stated = collections.map(({ name }) => ({ name, in: [named(GROWTH, name), named(BOUNDS, name)] }));
    expect(stated.filter((one) => one.in.filter((name) => name !== undefined).length !== 1)).toEqual([]);
    const used = new Set(stated.flatMap((one) => one.in));
    expect([...Object.keys(GROWTH), ...Object.keys(BOUNDS)].filter((name) => !used.has(name))).toEqual([]);
  });

  it('goes when the table says so: each collection with rows of some days has an index that removes them', async () => {
    const wrong: string[] = [];
    for (const { rows, name } of collections) {
      const growth = GROWTH[named(GROWTH, name) ?? ''] ?? [];
      const expires = (await rows.indexes()).some(({ expireAfterSeconds }) => expireAfterSeconds !== undefined);
      const ends = growth.some((one) => 'days' in one && one.days !== 'kept' && one.by === undefined);
      if (ends && !expires) wrong.push(`${name} has rows that end and no index that removes them`);
    }
    expect(wrong).toEqual([]);
  });

  it.each(DAYS)(
    'is at most 200 MB, and 200 MB a year of what is kept for good, after days of $act, sandbox $sandbox',
    (day) => {
      const all = [...sizesOf(day)].map(([name, { steady, kept }]) => ({ name, steady, kept }));
      const sum = (of: 'steady' | 'kept'): number => all.reduce((total, one) => total + one[of], 0);
      const largest = all.toSorted((one, next) => next.steady + next.kept - one.steady - one.kept).slice(0, 15);
      const shown = largest.map(({ name, steady, kept }) => `${name} ${mb(steady)} ${mb(kept)}`);
      const fits = sum('steady') <= MOST_BYTES && sum('kept') <= MOST_BYTES;
      expect(fits ? [] : [`MB: ${mb(sum('steady'))} ${mb(sum('kept'))}`, ...shown]).toEqual([]);
    },
  );
});
