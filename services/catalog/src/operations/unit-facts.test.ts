import { randomUUID } from 'node:crypto';
import type { Output } from '@cds/contracts';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Creator } from '../domain/creator/creator.js';
import { aCreator, aUnit } from '../test/builders.js';
import { aRequest, NOW, type TestNetwork } from '../test/network.js';
import { testNetwork } from '../test/suite.js';
import { unitFacts } from './unit-facts.js';

const AUDIENCE = [{ id: 'startup-founders', label: 'Startup founders', weight: 1 }];

describe('unit_facts', () => {
  const network = testNetwork('units');
  const ada = aCreator({
    name: 'Ada',
    units: [aUnit({ usd: 100 }), aUnit({ format: 'quote', usd: 60, asOf: '2026-09-01' })],
  });
  const gus = aCreator({ name: 'Gus', active: false });
  const unitsOf = (creator: typeof ada) => creator.generated?.unit_ids ?? { post: '', quote: '', thread: '' };

  const facts = async (unit_ids: string[], audience = AUDIENCE, deps: TestNetwork = network) =>
    ((await unitFacts(aRequest(), { unit_ids, audience }, deps)) as Output<'unit_facts'>).units;

  beforeAll(async () => {
    await network.take([ada, gus]);
  });

  it('returns price, availability and views of the requested units', async () => {
    const [post, quote] = await facts([unitsOf(ada).post, unitsOf(ada).quote]);
    expect(post).toMatchObject({
      name: 'Ada',
      format: 'post',
      price_cents: 10_000,
      buyable: true,
      listed: true,
      channel: 'x_creators',
      match_label: expect.stringMatching(/match/),
    });
    expect(post?.views_low).toBeLessThan(post?.views_high ?? 0);
    expect(quote).toMatchObject({ format: 'quote', price_cents: 6_000, buyable: false, listed: true });
  });

  it('returns a paused creator as unlisted, and omits unknown ids', async () => {
    expect(await facts([unitsOf(gus).post, randomUUID()], [])).toMatchObject([
      { buyable: false, listed: false, match_score: null },
    ]);
  });

  it('returns the database’s state of a creator while memory is a version behind', async () => {
    const { creators, state, store } = network;
    const [before] = await facts([unitsOf(ada).post]);
    await store.db
      .collection<Creator>('creators')
      .updateOne(
        { 'units.unit_id': unitsOf(ada).post },
        { $set: { name: 'Ada the Second', followers: 123_456, network_version: await state.next() } },
      );
    let read = 0;
    const counting = Object.create(creators) as typeof creators;
    counting.rowsOf = (ids) => {
      read += 1;
      return creators.rowsOf(ids);
    };
    const seller = () => facts([unitsOf(ada).post], AUDIENCE, { ...network, creators: counting });
    expect(before).toMatchObject({ name: 'Ada' });
    expect(await seller()).toMatchObject([{ name: 'Ada the Second', followers: 123_456 }]);
    expect(read).toBe(1);
    await network.memory.follow(NOW.slice(0, 10));
    expect(await seller()).toMatchObject([{ name: 'Ada the Second', followers: 123_456 }]);
    expect(read).toBe(1);
  });

  it('reads the price from the database, not from memory', async () => {
    await network.store.db
      .collection<Creator>('creators')
      .updateOne({ 'units.unit_id': unitsOf(ada).post }, { $set: { 'units.$.price.price_cents': 12_500 } });
    expect(await facts([unitsOf(ada).post])).toMatchObject([{ price_cents: 12_500 }]);
  });
});
