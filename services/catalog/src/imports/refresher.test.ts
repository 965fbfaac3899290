import { makeLogger } from '@cds/service';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DAY_MS } from '../domain/constants.js';
import type { Creator, Identity } from '../domain/creator/creator.js';
import { nextRefresh } from '../domain/days.js';
import { ChannelRefresh } from '../store/channel-refresh.js';
import { aCreator, anId, aUnit } from '../test/builders.js';
import { aNetwork, NOW, type TestNetwork } from '../test/network.js';
import { anX, type SimulatedX } from '../test/x-simulator.js';
import { XChannel } from './channel/x-channel.js';
import { Refresher } from './refresher.js';

const TOKEN = 'a-token';
const [ADA, BEN, GEN] = [anId(0xf1), anId(0xf2), anId(0xf3)] as const;
const AT = new Date(Date.parse(NOW) + DAY_MS);

const aUser = (id: string, over: object = {}) => ({
  id,
  username: `user_${id}`,
  name: `User ${id}`,
  description: 'Building things',
  created_at: '2020-01-01T00:00:00.000Z',
  verified: true,
  protected: false,
  public_metrics: { followers_count: 12_345, following_count: 1, tweet_count: 1, listed_count: 0 },
  ...over,
});
const aTweet = (id: number, over: object = {}) => ({
  id: String(id),
  text: `Note ${id} on startup founders`,
  lang: 'en',
  conversation_id: String(id),
  created_at: new Date(AT.getTime() - DAY_MS - id * 60_000).toISOString(),
  public_metrics: { impression_count: 1_000 + id, like_count: 10, reply_count: 1, repost_count: 2, quote_count: 0 },
  ...over,
});

describe('the nightly refresh', () => {
  let network: TestNetwork;
  let x: SimulatedX;
  let refresher: Refresher;

  const creators = () => network.store.db.collection<Creator>('creators');
  const stored = async (id: string): Promise<Creator> => {
    const creator = await creators().findOne({ _id: id });
    if (creator === null) throw new Error('no such creator');
    return creator;
  };
  const refreshes = () =>
    network.store.db.collection<{ _id: string; due_at: Date; lease_until: Date }>('channel_refresh');
  const makeDue = () =>
    refreshes().updateOne({ _id: 'nightly' }, { $set: { due_at: new Date(0), after: null } }, { upsert: true });
  /** Runs a whole refresh, and returns the size of each batch. */
  const night = async (at = AT): Promise<number[]> => {
    const batches: number[] = [];
    for (let read = await refresher.next(at); read > 0; read = await refresher.next(at)) batches.push(read);
    return batches;
  };
  const refresherOf = (token: string) =>
    new Refresher(
      network.store,
      network.creators,
      network.state,
      new ChannelRefresh(network.store),
      network.importer,
      new XChannel(token, x.outside),
      network.rows,
      makeLogger('catalog', 'silent'),
    );

  beforeAll(async () => {
    [network, x] = await Promise.all([aNetwork('refresh'), anX(TOKEN)]);
    refresher = refresherOf(TOKEN);
    const uploaded = [
      aCreator({ id: ADA, network_id: '11', handle: 'user_11', units: [aUnit()] }),
      aCreator({ id: BEN, network_id: '12', handle: 'user_12' }),
    ];
    await network.take([...uploaded, aCreator({ id: GEN, network_id: '13' })]);
    await creators().updateMany({ _id: { $in: [ADA, BEN] } }, { $set: { generated: null } });
    x.put(aUser('11'), [
      ...Array.from({ length: 120 }, (_none, at) => aTweet(at + 1)),
      aTweet(500, { referenced_tweets: [{ type: 'replied_to', id: '1' }], in_reply_to_user_id: '99' }),
    ]);
    x.put(aUser('12'));
  });
  afterAll(async () => {
    await x.stop();
    await network.drop();
  });

  it('does nothing before 03:00 UTC', async () => {
    expect(nextRefresh(new Date('2026-11-21T02:59:59.999Z')).toISOString()).toBe('2026-11-21T03:00:00.000Z');
    expect(nextRefresh(new Date('2026-11-21T03:00:00.000Z')).toISOString()).toBe('2026-11-22T03:00:00.000Z');
    const soon = new Date(Date.now() + DAY_MS);
    expect(await refresher.next(soon)).toBe(0);
    expect(x.asked).toEqual([]);
    expect((await refreshes().findOne({ _id: 'nightly' }))?.due_at).toEqual(nextRefresh(soon));
  });

  it('imports every creator known on the network, with all pages of posts, and schedules the next night', async () => {
    await makeDue();
    expect(await night()).toEqual([2]);
    expect(await stored(ADA)).toMatchObject({
      status: 'approved',
      followers: 12_345,
      synced_at: AT,
      refresh_failed_at: null,
      posts_measured: 120,
      median_views_30d: 1_061,
      language: 'English',
      units: [{ format: 'post' }],
    });
    expect((await stored(BEN)).posts).toEqual([]);
    expect((await stored(GEN)).synced_at).toEqual(new Date(NOW));
    expect(x.asked).toEqual([
      'GET /2/users',
      'GET /2/users/11/tweets',
      'GET /2/users/12/tweets',
      'GET /2/users/11/tweets',
    ]);
    expect((await refreshes().findOne({ _id: 'nightly' }))?.due_at).toEqual(nextRefresh(AT));
    const identity = await network.identityStore.db.collection<Identity>('identities').findOne({ _id: ADA });
    expect(identity).toMatchObject({ handle: 'user_11' });
  });

  it('records a failure and changes nothing else', async () => {
    const before = await stored(ADA);
    const later = new Date(AT.getTime() + DAY_MS);
    x.failing.set('/2/users/11/tweets', 503);
    x.remove('12');
    await makeDue();
    expect(await night(later)).toEqual([2]);
    const after = await stored(ADA);
    expect(after).toEqual({ ...before, refresh_failed_at: later, network_version: after.network_version });
    expect(after.network_version).toBeGreaterThan(before.network_version);
    expect(await stored(BEN)).toMatchObject({ synced_at: AT, refresh_failed_at: later });

    x.failing.clear();
    await makeDue();
    await night(later);
    expect(await stored(ADA)).toMatchObject({ synced_at: later, refresh_failed_at: null });
  });

  it('records a failure of all when the channel cannot be reached', async () => {
    const later = new Date(AT.getTime() + 2 * DAY_MS);
    await makeDue();
    expect(await refresherOf('another').next(later)).toBe(2);
    expect(await stored(ADA)).toMatchObject({ refresh_failed_at: later });
    expect(await stored(BEN)).toMatchObject({ refresh_failed_at: later });
  });

  it('runs on one replica at a time, and is taken over when the lease expires', async () => {
    await makeDue();
    const refresh = new ChannelRefresh(network.store);
    const claims = await Promise.all(['1', '2', '3', '4'].map((owner) => refresh.claim(owner)));
    expect(claims.filter((claim) => claim !== null)).toHaveLength(1);
    expect(await refresher.next(AT)).toBe(0);
    await refreshes().updateOne({ _id: 'nightly' }, { $set: { lease_until: new Date(0) } });
    expect(await refresher.next(new Date(AT.getTime() + 3 * DAY_MS))).toBe(2);
  });

  it('renews its lease while a batch runs', async () => {
    await makeDue();
    const lease = async () => (await refreshes().findOne({ _id: 'nightly' }))?.lease_until.getTime() ?? 0;
    const held: number[] = [];
    const slow = new Refresher(
      network.store,
      network.creators,
      network.state,
      new ChannelRefresh(network.store),
      network.importer,
      {
        read: async (ids) => {
          held.push(await lease());
          while ((await lease()) === held[0]) await network.store.now();
          held.push(await lease());
          return ids.map((network_id) => ({ network_id, row: null }));
        },
      },
      network.rows,
      makeLogger('catalog', 'silent'),
      5,
    );
    expect(await slow.next(new Date(AT.getTime() + 4 * DAY_MS))).toBe(2);
    const [first = 0, renewed = 0] = held;
    expect(renewed).toBeGreaterThan(first);
    expect(first - (await network.store.now()).getTime()).toBeLessThanOrEqual(5_000);
  });

  it('takes handles that changed hands together, also from creators of another batch', async () => {
    const ids = Array.from({ length: 12 }, (_none, at) => String(301 + at));
    await network.take(ids.map((id) => aCreator({ id: anId(Number(id)), network_id: id, handle: `user_${id}` })));
    await creators().updateMany({ network_id: { $in: ids } }, { $set: { generated: null } });
    for (const id of ids) x.put(aUser(id));
    const [first = '', last = ''] = [ids[0], ids.at(-1)];
    x.put(aUser(first, { username: `user_${last}` }));
    x.put(aUser(last, { username: `user_${first}` }));
    await refreshes().deleteMany({});
    await makeDue();
    expect(await night(new Date(AT.getTime() + 9 * DAY_MS))).not.toEqual([]);
    const holders = await network.identityStore.db
      .collection<Identity>('identities')
      .find({ _id: { $in: [anId(Number(first)), anId(Number(last))] } })
      .toArray();
    expect(Object.fromEntries(holders.map(({ _id, handle }) => [_id, handle]))).toEqual({
      [anId(Number(first))]: `user_${last}`,
      [anId(Number(last))]: `user_${first}`,
    });
    expect((await stored(anId(Number(first)))).refresh_failed_at).toBeNull();
  });
});
