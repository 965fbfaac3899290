import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { DAY_MS } from '../domain/constants.js';
import type { Creator } from '../domain/creator/creator.js';
import type { EvidenceRow } from '../identity/post-evidence.js';
import { creatorGet } from '../operations/creator-get.js';
import { opsLaunchAdd } from '../operations/operators/ops-launch-add.js';
import { opsLaunchChange } from '../operations/operators/ops-launch-change.js';
import { opsLaunchRemove } from '../operations/operators/ops-launch-remove.js';
import { aCreator, anId, aPost } from '../test/builders.js';
import { aRequest, NOW } from '../test/network.js';
import { anOperatorRequest, saved } from '../test/operators.js';
import { testNetwork } from '../test/suite.js';

const [ADA, BEN, CEM, DIL] = [anId(0x71), anId(0x72), anId(0x73), anId(0x74)] as const;
const ORBIT = {
  project: 'Orbit',
  title: 'Orbit 2 is here',
  brand: { name: 'Orbit Labs', handle: '@OrbitLabs', site: 'https://www.orbit.example/' },
  date: '2026-11-18',
  segments: ['startup-founders'],
  reason: 'x',
};

describe('a change of launches', () => {
  const network = testNetwork('launch_propagation');

  const request = anOperatorRequest;
  /** Commits what a launch operation decided, as the shell does, and waits until it has propagated. */
  const commit = async <T>(decided: unknown): Promise<T> => {
    const change = await saved(network.store, decided);
    change.parts.committed?.();
    await network.launchPropagation.run();
    return change.answer as T;
  };
  const add = (over: object = {}) =>
    opsLaunchAdd(request(), { ...ORBIT, ...over }, network).then((decided) => commit<{ id: string }>(decided));
  const change = (id: string, set: object) =>
    opsLaunchChange(request(), { id, reason: 'x', ...set }, network).then((decided) => commit(decided));
  const remove = (id: string) => opsLaunchRemove(request(), { id }, network).then((decided) => commit(decided));

  const creators = () => network.store.db.collection<Creator>('creators');
  const evidence = () => network.identityStore.db.collection<EvidenceRow>('post_evidence');
  const collabsOf = async (id: string): Promise<[string, string][]> => {
    const page = (await creatorGet(aRequest(), { id }, network)) as { json: string };
    const { past_collabs: collabs } = JSON.parse(page.json) as { past_collabs: { project: string; role: string }[] };
    return collabs.map(({ project, role }) => [project, role]);
  };
  const launches = () => network.store.db.collection('launches');

  beforeAll(async () => {
    await network.take([
      aCreator({ id: ADA, posts: [aPost({ text: 'Good work @orbitlabs' }), aPost({ text: 'Mine #ad' })] }),
      aCreator({ id: BEN, posts: [aPost({ text: 'Nice', kind: 'quote', quoted_handle: 'ORBITLABS' })] }),
      aCreator({
        id: CEM,
        posts: [aPost({ text: 'See https://orbit.example/new! #ad' }), aPost({ ageDays: 12, text: '@orbitlabs' })],
      }),
      aCreator({ id: DIL, posts: [aPost({ text: '@orbitlabs_fan, orbit.example.evil.com and notorbit.example' })] }),
    ]);
  });
  beforeEach(async () => {
    for (const { _id } of await launches().find().toArray()) await remove(String(_id));
  });

  it('that adds one reaches the creators concerned at once, and nobody else', async () => {
    const before = (await creators().findOne({ _id: DIL }))?.network_version;
    await add();
    expect(await collabsOf(ADA)).toEqual([
      ['Orbit', 'Launch post'],
      ['Partner not named', 'Paid partnership'],
    ]);
    expect(await collabsOf(BEN)).toEqual([['Orbit', 'Quoted the launch']]);
    expect(await collabsOf(CEM)).toEqual([['Orbit', 'Launch post']]);
    expect(await collabsOf(DIL)).toEqual([]);
    expect((await creators().findOne({ _id: DIL }))?.network_version).toBe(before);
    expect(await launches().findOne()).not.toHaveProperty('untold');
  });

  it('that edits its texts updates the creators’ entries', async () => {
    const { id } = await add();
    await change(id, { project: 'Orbit Two', segments: [] });
    expect(await collabsOf(BEN)).toEqual([['Orbit Two', 'Quoted the launch']]);
  });

  it('that moves its date adds creators of the new days and drops those of the old', async () => {
    const { id } = await add();
    await change(id, { date: '2026-11-08' });
    expect(await collabsOf(ADA)).toEqual([['Partner not named', 'Paid partnership']]);
    expect(await collabsOf(CEM)).toEqual([
      ['Orbit', 'Launch post'],
      ['Partner not named', 'Paid partnership'],
    ]);
  });

  it('that corrects the brand reaches the creators who mentioned it', async () => {
    const { id } = await add({ brand: { name: 'Orbit Labs', handle: 'orbitlab' } });
    expect(await collabsOf(ADA)).toEqual([['Partner not named', 'Paid partnership']]);
    await change(id, { brand: { name: 'Orbit Labs', handle: 'orbitlabs' } });
    expect(await collabsOf(ADA)).toContainEqual(['Orbit', 'Launch post']);
  });

  it('that removes one is dropped everywhere, and its row is deleted', async () => {
    const { id } = await add();
    await remove(id);
    for (const creator of [BEN, DIL]) expect(await collabsOf(creator)).toEqual([]);
    expect(await collabsOf(CEM)).toEqual([['Partner not named', 'Paid partnership']]);
    expect(await launches().countDocuments()).toBe(0);
    await expect(opsLaunchRemove(request(), { id }, network)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('that was not propagated is picked up by one replica’s next sweep', async () => {
    await saved(network.store, await opsLaunchAdd(request(), ORBIT, network));
    expect(await collabsOf(BEN)).toEqual([]);
    expect(await network.launches.claimPending()).not.toBeNull();
    expect(await network.launchPropagation.run()).toBe(0);
    await launches().updateMany({}, { $set: { telling_until: new Date(0) } });
    expect(await network.launchPropagation.run()).toBe(3);
    expect(await collabsOf(BEN)).toEqual([['Orbit', 'Quoted the launch']]);
  });

  it('is not lost in a concurrent import', async () => {
    const decided = await opsLaunchAdd(request(), ORBIT, network);
    const { all } = network.launches;
    let first = true;
    network.launches.all = async () => {
      const read = await all.call(network.launches);
      if (first) {
        first = false;
        await saved(network.store, decided);
        await network.launchPropagation.run();
      }
      return read;
    };
    const later = new Date(Date.parse(NOW) + DAY_MS).toISOString();
    await network.take([aCreator({ id: anId(0x75), posts: [aPost({ text: '@orbitlabs' })] })], later);
    network.launches.all = all;
    expect(first).toBe(false);
    expect((await creators().findOne({ _id: anId(0x75) }))?.collabs).toMatchObject([{ project: 'Orbit' }]);
  });

  it('still matches a post outside the window if a collaboration rests on it', async () => {
    const { id } = await add();
    const later = new Date(Date.parse(NOW) + 60 * DAY_MS).toISOString();
    const held = await creators().findOne({ _id: BEN });
    await network.take([{ ...aCreator({ id: BEN }), network_id: held?.network_id ?? '' }], later);
    await change(id, { date: '2026-11-19' });
    expect((await creators().findOne({ _id: BEN }))?.collabs).toMatchObject([{ project: 'Orbit', date: '2026-11-19' }]);
    expect((await evidence().findOne({ _id: BEN }))?.posts).toHaveLength(1);
  });

  it('joins the entries of one paid post that earlier releases stored, when it migrates', async () => {
    const held = (await creators().findOne({ _id: ADA }))?.collabs?.find(({ post_id: post }) => post !== undefined);
    if (held === undefined) throw new Error('no partnership');
    const { post_id: _post, ...former } = held;
    const doubles = ['Acme', 'Acme Labs', 'ACME'].map((project) => ({ ...former, project }));
    const older = { ...former, date: '2026-06-01', project: 'Nova' };
    await creators().updateOne({ _id: ADA }, { $set: { collabs: [...doubles, older] } });
    const version = (await creators().findOne({ _id: ADA }))?.network_version ?? 0;
    await network.collabs.migrate();
    const after = await creators().findOne({ _id: ADA });
    expect(after?.collabs).toEqual([held, older]);
    expect(after?.network_version).toBeGreaterThan(version);
    await network.collabs.migrate();
    expect(await creators().findOne({ _id: ADA })).toEqual(after);
  });

  it('stores evidence in the identity database alone', async () => {
    expect(await evidence().countDocuments()).toBeGreaterThan(3);
    for (const name of await network.store.db.collectionNames()) {
      if (name === 'launches') continue;
      const text = JSON.stringify(await network.store.db.collection(name).find().toArray());
      expect({ name, found: /orbitlabs_fan|orbit\.example\.evil/.test(text) }).toEqual({ name, found: false });
    }
  });

  it('reaches 10,000 creators in batches without blocking other requests', async () => {
    const template = await creators().findOne({ _id: DIL });
    if (template === null) throw new Error('nobody to copy');
    const ids = Array.from({ length: 10_000 }, (_none, at) => anId(0x10_0000 + at));
    for (let from = 0; from < ids.length; from += 1_000) {
      const part = ids.slice(from, from + 1_000);
      await creators().insertMany(
        part.map((_id) => ({ ...template, _id, network_id: _id, posts: [], units: [], collabs: [] })),
      );
      await evidence().insertMany(
        part.map((_id) => ({
          _id,
          posts: [{ id: '1', day: '2026-11-18', quoted: null, named: ['orbitlabs'], links: [], paid: null }],
        })),
      );
    }
    (await saved(network.store, await opsLaunchAdd(request(), ORBIT, network))).parts.committed?.();
    let answered = 0;
    const telling = network.launchPropagation.run().then(() => true);
    while (!(await Promise.race([telling, network.creators.byId(ADA).then(() => false)]))) answered += 1;
    expect(answered).toBeGreaterThan(20);
    expect(await creators().countDocuments({ _id: { $in: ids }, 'collabs.project': 'Orbit' })).toBe(10_000);
  }, 180_000);
});
