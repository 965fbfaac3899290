import { setTimeout as delay } from 'node:timers/promises';
import { Change, Deadline } from '@cds/service';
import { describe, expect, it } from '@jest/globals';
import { bookableFilter } from '../domain/creator/bookable.js';
import type { Creator, Identity, PriceRow } from '../domain/creator/creator.js';
import { pictureIn } from '../domain/pictures/picture.js';
import { aRequest, NOW } from '../test/network.js';
import { testNetwork } from '../test/suite.js';
import { devNetwork } from './dev-network.js';
import { devNetworkLoad } from './dev-network-load.js';

const TOMORROW = '2026-11-22T12:00:00.000Z';

describe('dev_network_load', () => {
  const network = testNetwork('load');

  const load = async (creators: number, now = NOW, seed = 1) => {
    const done = await devNetworkLoad(
      aRequest({ now }),
      { creators, seed },
      { loader: network.loader, generatorAllowed: true },
    );
    if (!(done instanceof Change)) throw new Error('a load is a change');
    return done.answer;
  };
  const all = () => network.store.db.collection<Creator>('creators').find({}).sort({ _id: 1 }).toArray();

  it('loads the generated network through the importer', async () => {
    expect(await load(150)).toEqual({ creators: 150, newest_synced_at: NOW, loaded: 150 });
    expect(await devNetwork(aRequest(), {}, { loader: network.loader })).toEqual({
      creators: 150,
      newest_synced_at: NOW,
    });
    const counts = network.memory.counts(new Date(NOW));
    expect(counts.approved).toBeGreaterThan(70);
    expect(counts.priced).toBeGreaterThan(20);
    expect(await network.creators.rows.countDocuments(bookableFilter('2026-11-21'))).toBe(counts.priced);
  });

  it('has pictures to look at, the same at each load, and creators whose last refresh failed', async () => {
    await load(150);
    const creators = await all();
    const shown = creators.flatMap(({ avatar }) => avatar ?? []);
    expect(shown.length).toBeGreaterThan(20);
    for (const name of shown.slice(0, 5)) {
      const bytes = await network.avatars.read(name);
      expect(pictureIn('image/png', bytes ?? Buffer.alloc(0))).not.toBeNull();
    }
    expect(new Set(shown).size).toBe(shown.length);
    const failed = creators.filter(({ refresh_failed_at }) => refresh_failed_at !== null);
    expect(failed.length).toBeGreaterThan(0);
    for (const { synced_at, refresh_failed_at } of failed)
      expect(synced_at?.getTime()).toBeLessThan(refresh_failed_at?.getTime() ?? 0);
    await load(150);
    expect((await all()).flatMap(({ avatar }) => avatar ?? [])).toEqual(shown);
  });

  it('keeps handles and links out of catalog’s own database', async () => {
    const identities = await network.identityStore.db.collection<Identity>('identities').find({}).toArray();
    expect(identities).toHaveLength(150);
    const stored: string[] = [];
    for (const name of await network.store.db.collectionNames())
      stored.push(JSON.stringify(await network.store.db.collection(name).find({}).toArray()).toLowerCase());
    const leaked = identities.filter(({ handle_lower, url }) =>
      stored.some((text) => text.includes(handle_lower) || text.includes(url)),
    );
    expect(leaked).toEqual([]);
    expect(stored.join()).not.toMatch(/demo_|example\.com/);
  });

  it('refreshes figures and price ages, and keeps ids, units and prices', async () => {
    const before = await all();
    await load(150, TOMORROW);
    const after = await all();
    const lasting = (one: Creator) => [one._id, one.units.map((unit) => [unit.unit_id, unit.price?.price_cents])];
    expect(after.map(lasting)).toEqual(before.map(lasting));
    expect(after[0]?.synced_at).toEqual(new Date(TOMORROW));
    expect(after.flatMap(({ units }) => units)[0]?.price?.as_of).not.toBe(
      before.flatMap(({ units }) => units)[0]?.price?.as_of,
    );
    const unit = after.find(({ units }) => units.length > 0)?.units[0]?.unit_id ?? '';
    expect(await network.store.db.collection<PriceRow>('prices').countDocuments({ unit_id: unit })).toBe(2);
  });

  it('nests smaller networks in larger ones, and pauses creators outside the smaller', async () => {
    const before = new Set((await all()).map(({ _id }) => _id));
    await load(200, TOMORROW);
    const grown = await all();
    expect(grown).toHaveLength(200);
    expect(grown.filter(({ _id }) => before.has(_id))).toHaveLength(150);
    expect(await load(50, TOMORROW)).toMatchObject({ creators: 50, loaded: 50 });
    expect((await all()).filter(({ active, generated }) => active && (generated?.index ?? 0) >= 50)).toEqual([]);
    expect(network.memory.at(new Date(TOMORROW)).rows.length).toBeLessThan(50);
  });

  it('continues after the deadline of the request that started it', async () => {
    const began = Deadline.in(10).run(() => load(250, TOMORROW));
    await expect(began).rejects.toMatchObject({ code: 'unavailable' });
    const through = async () => (await network.loader.loaded()).newest !== null;
    for (const end = performance.now() + 60_000; !(await through()) && performance.now() < end; ) await delay(20);
    expect(await network.loader.loaded()).toEqual({ creators: 250, newest: new Date(TOMORROW) });
  }, 90_000);

  it('is refused in production', async () => {
    const refused = devNetworkLoad(
      aRequest(),
      { creators: 1, seed: 1 },
      { loader: network.loader, generatorAllowed: false },
    );
    await expect(refused).rejects.toMatchObject({ code: 'forbidden' });
  });
});
