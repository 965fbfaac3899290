import { createHash } from 'node:crypto';
import type { OpsCreator } from '@cds/contracts';
import {
  Audit,
  type Audited,
  type Ctx,
  commandId,
  inTx,
  LostRace,
  makeLogger,
  Outbox,
  requestFingerprint,
  runWrite,
  safeFetch,
} from '@cds/service';
import { aTlsHost } from '@cds/service/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mongo } from 'mongoose';
import type { Creator } from '../../domain/creator/creator.js';
import type { Stated } from '../../domain/import/stated.js';
import { DepartedNames } from '../../identity/departed.js';
import { IdentityChores } from '../../identity/identity-chores.js';
import { AvatarFetcher } from '../../pictures/avatar-fetcher.js';
import { aCreator, anId, aPost, aUnit } from '../../test/builders.js';
import { aNetwork, aRequest, NOW, type TestNetwork } from '../../test/network.js';
import { anOperatorRequest, changeIn, saved } from '../../test/operators.js';
import { aPng } from '../../test/pictures.js';
import { creatorGet } from '../creator-get.js';
import { identityReveal } from '../identity-reveal.js';
import { unitFacts } from '../unit-facts.js';
import { opsCreatorErase } from './ops-creator-erase.js';
import { opsCreatorGet } from './ops-creator-get.js';
import { opsCreatorMerge } from './ops-creator-merge.js';
import { opsCreatorPause, opsCreatorResume } from './ops-creator-switch.js';
import { opsCreatorVet } from './ops-creator-vet.js';
import { opsLaunchAdd } from './ops-launch-add.js';
import { opsPriceSet } from './ops-price-set.js';

const [ADA, BEN, OLD, NEW, OTHER] = [anId(0x91), anId(0x92), anId(0x93), anId(0x94), anId(0x95)] as const;
const [CAT, DAN, EVE, FAY, GIL, HAL] = [
  anId(0xb1),
  anId(0xb2),
  anId(0xb3),
  anId(0xb4),
  anId(0xb5),
  anId(0xb6),
] as const;
const [WS, ORDER] = [anId(0x9a), anId(0x9b)] as const;
/** Texts only the erased creator has, each too long to occur in a random digest. */
const TRACES = /zoraida|wandering|hill_walks|zinnia/i;

describe('a creator that leaves the network', () => {
  let network: TestNetwork;
  let host: Awaited<ReturnType<typeof aTlsHost>>;
  const audited: Audited[] = [];

  const request = () => anOperatorRequest('op-7', 'lead');
  const commit = async (decided: unknown): Promise<OpsCreator> => {
    const { parts, answer } = await saved(network.store, decided);
    audited.push(...((parts.audit ?? []) as Audited[]));
    parts.committed?.();
    await network.chores.run();
    await network.memory.follow(NOW.slice(0, 10));
    return answer as OpsCreator;
  };
  const stored = (id: string) => network.store.db.collection<Creator>('creators').findOne({ _id: id });
  /** Every document of both databases as text, binary data decoded. */
  const everything = async (): Promise<Map<string, string>> => {
    const found = new Map<string, string>();
    for (const { db } of [network.store, network.identityStore])
      for (const name of await db.collectionNames()) {
        const rows = await db.collection(name).find().toArray();
        const text = JSON.stringify(rows, (_key, value: unknown) =>
          typeof value === 'string' && /^[A-Za-z0-9+/]{24,}={0,2}$/.test(value)
            ? Buffer.from(value, 'base64').toString('latin1')
            : value,
        );
        found.set(name, text);
      }
    return found;
  };
  const where = async (): Promise<string[]> =>
    [...(await everything())]
      .filter(([, text]) => TRACES.test(text))
      .map(([name]) => name)
      .sort((one, other) => one.localeCompare(other));
  const by = (
    id: string,
    opsOn: (ctx: Ctx, input: { id: string; reason: string }, deps: TestNetwork) => Promise<unknown>,
  ) => opsOn(request(), { id, reason: 'She asked for it, @hill_walks' }, network).then(commit);
  const save = (decided: unknown) => saved(network.store, decided);
  /** Erases like a replica that dies before it finishes the chore. */
  const erase = (id: string) => opsCreatorErase(request(), { id, reason: 'x' }, network).then(save);
  const fetchAvatars = () =>
    new AvatarFetcher(
      network.avatarQueue,
      (address, types) => safeFetch(address, types, host.outside),
      makeLogger('catalog', 'silent'),
    ).run(new Date(NOW));
  const track = async (project: string) => {
    const launch = {
      project,
      brand: { name: project, handle: `${project.toLowerCase()}labs` },
      date: '2026-11-19',
      reason: 'x',
    };
    await save(await opsLaunchAdd(request(), launch, network));
    await network.launchPropagation.run();
  };
  const priceOf = (id: string) => network.store.db.collection('prices').countDocuments({ creator_id: id });

  beforeAll(async () => {
    [network, host] = await Promise.all([aNetwork('leave'), aTlsHost()]);
    const said = 'Zoraida Wandering, zinnia grower';
    await network.take([
      aCreator({
        id: ADA,
        network_id: '910',
        handle: 'hill_walks',
        url: 'https://x.com/hill_walks',
        name: 'Zoraida Wandering',
        bio: said,
        posts: [aPost({ text: `${said} @orbitlabs` }), aPost({ text: said }), aPost({ text: said })],
        units: [{ ...aUnit(), label: 'A zinnia post' }],
      }),
      aCreator({ id: BEN, network_id: '911' }),
      aCreator({
        id: OLD,
        network_id: '',
        handle: 'was_here',
        units: [aUnit(), aUnit({ format: 'quote' })],
        posts: [aPost({ text: '@orbitlabs' })],
      }),
      aCreator({ id: NEW, network_id: '913', handle: 'is_here', units: [aUnit({ usd: 200 })] }),
      aCreator({
        id: OTHER,
        network_id: '',
        handle: 'third_one',
        bio: 'Ask is_here for a talk',
      }),
      aCreator({ id: CAT, network_id: '912', posts: [aPost({ text: '@orbitlabs @novalabs' })] }),
      aCreator({ id: DAN, network_id: '915', name: 'Quirin Dan' }),
      aCreator({ id: EVE, network_id: '914' }),
      aCreator({ id: FAY, network_id: '916' }),
      aCreator({ id: GIL, network_id: '917' }),
      aCreator({ id: HAL, network_id: '918' }),
    ]);
    await network.store.db
      .collection<Creator>('creators')
      .updateMany(
        { _id: { $in: [ADA, OLD, NEW, CAT, EVE, OTHER] } },
        { $set: { generated: null, notes: 'Call first' } },
      );
    await network.store.db
      .collection<Creator>('creators')
      .updateOne({ _id: ADA }, { $set: { notes: 'Zoraida is kind' } });
    const source = host.put('/hill_walks.png', { body: aPng('hill_walks'), type: 'image/png' });
    await network.identityStore.db
      .collection('identities')
      .updateOne({ handle_lower: 'hill_walks' }, { $set: { avatar_source: source, avatar_due_at: new Date(0) } });
    await fetchAvatars();
    await track('Orbit');
    await network.paidOrders.add({ id: ORDER, workspace: WS, creatorIds: [ADA, OLD], version: 1 });
    await network.planCreators.take({ id: anId(0x9c), workspace: WS, version: 1, creatorIds: [ADA, OLD] });
    await inTx(network.store, aRequest().deadline, async (tx) => {
      await network.priceAsks.open(tx, {
        _id: anId(0x9d),
        ws: WS,
        creator_id: ADA,
        campaign_id: null,
        requested_at: new Date(NOW),
      });
    });
    const answer = JSON.stringify(await opsCreatorGet(request(), { id: ADA }, network));
    await network.store.db.collection<{ _id: string; op: string; body: mongo.Binary }>('commands').insertMany([
      { _id: 'of-ada', op: 'ops_creator_vet', body: new mongo.Binary(Buffer.from(answer)) },
      { _id: 'of-ben', op: 'ops_creator_vet', body: new mongo.Binary(Buffer.from(`{"id":"${BEN}"}`)) },
    ]);
  });
  afterAll(async () => {
    await host.stop();
    await network.drop();
  });

  describe('erased', () => {
    let before: Creator | null;

    it('was in these places', async () => {
      before = await stored(ADA);
      expect(before?.avatar).toMatch(/png$/);
      expect(await where()).toEqual(['commands', 'creators', 'identities']);
      expect(
        await network.identityStore.db.collection<{ _id: string }>('post_evidence').findOne({ _id: ADA }),
      ).not.toBeNull();
    });

    it('is gone from every store, with handle, texts, picture and evidence', async () => {
      const answer = await by(ADA, opsCreatorErase);
      expect(answer).toMatchObject({ id: ADA, handle: null, url: null, name: null, erased_at: NOW, listed: false });
      expect(JSON.stringify(answer)).not.toMatch(TRACES);
      expect(await where()).toEqual([]);
      const { db } = network.identityStore;
      for (const name of ['identities', 'post_evidence'])
        expect(await db.collection<{ _id: string }>(name).findOne({ _id: ADA })).toBeNull();
      expect(await network.store.db.collection('avatars').countDocuments({ creator_id: ADA })).toBe(0);
      expect(await stored(ADA)).not.toHaveProperty('chore');
    });

    it('keeps only what plan lines and the operator need', async () => {
      const { units, network_version, ...left } = (await stored(ADA)) ?? { units: [] };
      expect(units).toHaveLength(1);
      expect(network_version).toEqual(expect.any(Number));
      expect(left).toEqual({
        _id: ADA,
        network_id: `erased:${ADA}`,
        erased_at: new Date(NOW),
        status: 'approved',
        active: false,
        flag_inactive: false,
        excluded: false,
        manual_only: false,
        reach_band: 'nano',
        posts_measured: 0,
        posts_held: 0,
        views_source: 'network',
        synced_at: new Date(NOW),
        generated: null,
        account: { created_at: null, protected: false, parody: false, withheld: false },
        posts: [],
        past_syncs: [],
        views_series: [],
        weights: [],
        collabs: [],
        ...Object.fromEntries(
          [
            'name bio positioning followers verified_badge country language avatar posts_summary posts_per_week notes pinned',
            'median_views_30d engagement_rate_30d expected_views vetting sync_review refresh_failed_at exclusion_reason',
          ].flatMap((names) => names.split(' ').map((name) => [name, null])),
        ),
      });
    });

    it('keeps its ids, units and prices, so that plan lines stay intact', async () => {
      const after = await stored(ADA);
      expect(after?.units.map(({ unit_id, price }) => [unit_id, price])).toEqual(
        before?.units.map(({ unit_id, price }) => [unit_id, price]),
      );
      expect(await priceOf(ADA)).toBe(1);
      const unit = before?.units[0]?.unit_id ?? '';
      const { units } = (await unitFacts(aRequest(), { unit_ids: [unit], audience: [] }, network)) as {
        units: object[];
      };
      expect(units).toMatchObject([
        { unit_id: unit, creator_id: ADA, name: null, avatar_url: null, buyable: false, listed: false },
      ]);
      expect(
        JSON.parse(
          String(((await creatorGet(aRequest({ workspace: WS }), { id: ADA }, network)) as { json: string }).json),
        ),
      ).toMatchObject({ name: null, on_sale: false, offerings: [{ unit_id: unit, buyable: false }] });
      expect(
        await identityReveal(aRequest({ workspace: WS }), { order_id: ORDER, creator_ids: [ADA] }, network),
      ).toEqual({ creators: [] });
      expect(await network.priceAsks.byId(anId(0x9d))).toMatchObject({ status: 'closed' });
    });

    it('is audited with who erased it and why, without the handle', () => {
      expect(audited.at(-1)).toMatchObject({
        action: 'creator.erased',
        actor: 'operator:op-7',
        object: ADA,
        reason: 'She asked for it,',
      });
      expect(JSON.stringify(audited.at(-1))).not.toContain('"910"');
    });

    it.each([
      ['erased again', opsCreatorErase],
      ['paused', opsCreatorPause],
      ['resumed', opsCreatorResume],
    ])('cannot be %s', async (_name, opsOn) => {
      await expect(by(ADA, opsOn)).rejects.toMatchObject({ code: 'conflict', details: { reason: 'bad_state' } });
    });

    it('cannot be vetted, priced or merged', async () => {
      const refused = { code: 'conflict', details: { reason: 'bad_state' } };
      await expect(
        opsCreatorVet(request(), { id: ADA, decision: 'declined', reason: 'x' }, network),
      ).rejects.toMatchObject(refused);
      await expect(
        opsPriceSet(
          request(),
          { id: ADA, format: 'post', ask_cents: 1, source: 'team', as_of: '2026-11-20', reason: 'x' },
          network,
        ),
      ).rejects.toMatchObject(refused);
      await expect(opsCreatorMerge(request(), { id: BEN, into: ADA, reason: 'x' }, network)).rejects.toMatchObject(
        refused,
      );
    });

    it('is not brought back by the generator', async () => {
      const report = await network.take([aCreator({ id: ADA, network_id: 'demo-again', handle: 'hill_walks' })]);
      expect(report).toMatchObject({ created: 0, refused: [{ row: 0, field: 'network_id' }] });
      expect(await where()).toEqual([]);
    });

    const said = (stated: Partial<Stated>) =>
      network.importer.importRows(
        [{ row: 0, stated: { network_id: null, handle: 'hill_walks', units: [], ...stated }, refused: [] }],
        { asOf: new Date(NOW), recordedAt: new Date(NOW), viewsSource: 'network', setBy: 'test' },
      );
    const refused = (what: string) => ({
      created: 0,
      updated: 0,
      refused: [{ row: 0, field: 'network_id', message: `belongs to a creator that was ${what}` }],
    });

    it.each([
      ['its network id', { network_id: '910' }],
      ['its network id and another handle', { network_id: '910', handle: 'walks_again' }],
      ['its handle alone, in any case', { handle: 'Hill_Walks' }],
    ])('is not brought back by a file with %s', async (_name, stated) => {
      expect(await said(stated)).toMatchObject(refused('erased'));
      expect(await where()).toEqual([]);
    });

    it('leaves its handle free for another network id', async () => {
      expect(await said({ network_id: '977', handle: 'hill_walks', name: 'Someone' })).toMatchObject({ created: 1 });
      await network.identityStore.db.collection('identities').deleteOne({ handle_lower: 'hill_walks' });
      await network.store.db.collection('creators').deleteOne({ network_id: '977' });
    });

    it('is not brought back by a file before the sweep', async () => {
      await erase(EVE);
      expect(await said({ network_id: '914', handle: 'eve_again' })).toMatchObject(refused('erased'));
      expect(await network.chores.run()).toBe(1);
      expect(await said({ network_id: '914', handle: 'eve_again' })).toMatchObject(refused('erased'));
    });

    it('is not brought back by an import that was running', async () => {
      const { byNetworkIds } = network.creators;
      let reads = 0;
      network.creators.byNetworkIds = async (ids) => {
        const read = await byNetworkIds.call(network.creators, ids);
        reads += 1;
        if (reads === 1) await erase(HAL).then(() => network.chores.run());
        return read;
      };
      expect(await said({ network_id: '918', handle: 'hal_again', name: 'Hal' })).toMatchObject(refused('erased'));
      expect(reads).toBe(2);
      network.creators.byNetworkIds = byNetworkIds;
    });

    it('is not written to before the sweep', async () => {
      const source = host.put('/late.png', { body: aPng('late'), type: 'image/png' });
      await network.identityStore.db
        .collection<{ _id: string }>('identities')
        .updateOne({ _id: CAT }, { $set: { avatar_source: source, avatar_due_at: new Date(0) } });
      await erase(CAT);
      await fetchAvatars();
      await track('Nova');
      await inTx(network.store, aRequest().deadline, (tx) =>
        network.creators.refreshFailed(tx, [CAT], new Date(NOW), 1),
      );
      expect(await stored(CAT)).toMatchObject({ avatar: null, collabs: [], refresh_failed_at: null });
      expect(await network.chores.run()).toBe(1);
      expect(await stored(CAT)).toMatchObject({ avatar: null, collabs: [], refresh_failed_at: null });
      expect(await network.store.db.collection('avatars').countDocuments({ creator_id: CAT })).toBe(0);
    });

    it('keeps every operator’s answer replayable, its erasure’s too', async () => {
      const shell = { ...network, outbox: new Outbox(network.store), audit: new Audit(network.store) };
      const run = (op: 'ops_creator_pause' | 'ops_creator_erase') => {
        const input = { id: DAN, reason: 'She asked for it' };
        const command = { id: commandId('op-7', op), fp: requestFingerprint(op, input) };
        const ctx = { ...request(), command };
        return runWrite(shell, ctx, op, 200, async () => {
          const opsOn = op === 'ops_creator_pause' ? opsCreatorPause : opsCreatorErase;
          return changeIn(await opsOn(ctx, input, network));
        });
      };
      expect(await run('ops_creator_pause')).toMatchObject({ ok: true, replayed: false });
      const commands = async () => (await everything()).get('commands');
      expect(await commands()).toContain('Quirin');
      const answered = await run('ops_creator_erase');
      await network.chores.run();
      expect(await commands()).not.toContain('Quirin');
      expect(await run('ops_creator_erase')).toEqual({ ...answered, replayed: true });
      const again = await run('ops_creator_pause');
      expect(again).toMatchObject({ ok: true, status: 200, replayed: true });
      expect(JSON.parse(String('json' in again ? again.json : ''))).toMatchObject({
        id: DAN,
        handle: null,
        erased_at: NOW,
      });
    });

    it('is not held up by another chore that fails', async () => {
      await Promise.all([erase(FAY), erase(GIL)]);
      const note = network.departed.note.bind(network.departed);
      const failing = {
        key: () => network.departed.key(),
        note: (...args: Parameters<typeof note>) =>
          args[1] === FAY ? Promise.reject(new Error('of the test')) : note(...args),
      };
      const { identityStore, store, rows, log } = network;
      expect(await new IdentityChores(identityStore, store.name, failing, rows, log).run()).toBe(1);
      expect(await stored(GIL)).not.toHaveProperty('chore');
      await store.db.collection('put_off').updateMany({}, { $set: { next_at: new Date(0) } });
      expect(await network.chores.run()).toBe(1);
    });

    it('is gone after the next sweep if the replica that erased it died', async () => {
      await erase(BEN);
      const left = () => network.identityStore.db.collection<{ _id: string }>('identities').findOne({ _id: BEN });
      expect(await left()).not.toBeNull();
      const { identityStore, store, rows, log } = network;
      const replica = new IdentityChores(identityStore, store.name, new DepartedNames(identityStore), rows, log);
      expect(await replica.run()).toBe(1);
      expect(await left()).toBeNull();
    });
  });

  describe('merged', () => {
    it('gives the survivor what it lacked, and keeps its own units for plan lines', async () => {
      const units = (await stored(OLD))?.units ?? [];
      const answer = await opsCreatorMerge(request(), { id: OLD, into: NEW, reason: 'One person' }, network).then(
        commit,
      );
      expect(answer).toMatchObject({ id: OLD, merged_into: NEW, listed: false });
      const [from, into] = [await stored(OLD), await stored(NEW)];
      expect(from?.units).toEqual(units);
      expect(into?.units.map(({ format, price }) => [format, price?.price_cents])).toEqual([
        ['post', 20_000],
        ['quote', 10_000],
      ]);
      expect(into?.units[1]?.unit_id).not.toBe(units[1]?.unit_id);
      expect(
        await network.store.db.collection('prices').findOne({ unit_id: into?.units[1]?.unit_id ?? '' }),
      ).toMatchObject({ creator_id: NEW, net_ask_cents: 7_500 });
      expect(into?.collabs).toMatchObject([{ project: 'Orbit' }]);
    });

    it('reveals its survivor to whoever paid for it', async () => {
      expect(
        await identityReveal(aRequest({ workspace: WS }), { order_id: ORDER, creator_ids: [OLD] }, network),
      ).toMatchObject({
        creators: [{ creator_id: OLD, handle: 'is_here' }],
      });
      const identities = network.identityStore.db.collection('identities');
      expect(await identities.countDocuments({ handle_lower: 'was_here' })).toBe(0);
    });

    it('passes on its network id and handle to a survivor without an id, whose texts lose that handle', async () => {
      expect(JSON.stringify(await stored(OTHER))).toContain('is_here');
      await opsCreatorMerge(request(), { id: NEW, into: OTHER, reason: 'x' }, network).then(commit);
      const after = await stored(OTHER);
      expect(after).toMatchObject({ network_id: '913' });
      expect(JSON.stringify(after)).not.toContain('is_here');
      expect(await opsCreatorGet(request(), { id: OTHER }, network)).toMatchObject({ handle: 'is_here' });
      expect(await stored(OLD)).toMatchObject({ merged_into: OTHER });
    });

    it('is refused for two network accounts, and for nobody', async () => {
      const refused = { code: 'conflict', details: { reason: 'bad_state' } };
      await network.take([
        aCreator({ id: anId(0x96), network_id: '950', handle: 'two_one' }),
        aCreator({ id: anId(0x97), network_id: '951' }),
      ]);
      const merge = (id: string, into: string) => opsCreatorMerge(request(), { id, into, reason: 'x' }, network);
      await expect(merge(anId(0x96), anId(0x97))).rejects.toMatchObject(refused);
      await expect(merge(anId(0x96), createHash('md5').update('nobody').digest('hex'))).rejects.toMatchObject({
        code: 'not_found',
      });
    });

    it('leads a file with the old handle to the surviving creator', async () => {
      const rows = ['was_here', 'third_one'].map((handle) => ({
        row: 0,
        stated: { network_id: null, handle, units: [], bio: `Here is ${handle} again` },
        refused: [],
      }));
      const source = { asOf: new Date(NOW), recordedAt: new Date(NOW), viewsSource: 'network', setBy: 'test' } as const;
      for (const row of rows) {
        expect(await network.importer.importRows([row], source)).toMatchObject({ created: 0, updated: 1, refused: [] });
        expect(await stored(OTHER)).toMatchObject({ bio: 'Here is again' });
        await network.store.db.collection<Creator>('creators').updateOne({ _id: OTHER }, { $set: { bio: null } });
      }
      expect(await opsCreatorGet(request(), { id: OTHER }, network)).toMatchObject({
        handle: 'is_here',
        network_id: '913',
      });
    });

    it.each([
      ['the first', 0xa1, 0xa2],
      ['the second', 0xd2, 0xd1],
    ])('gives its handle to the end of a chain, finishing the %s merge first', async (_name, one, other) => {
      const [a, b, c] = [anId(one), anId(other), anId(one + 0x20)] as const;
      const made = [
        aCreator({ id: a, network_id: `96${one}`, handle: `of_network_${one}` }),
        aCreator({ id: b, network_id: '', handle: `in_between_${one}` }),
      ];
      // Chores are found in the order of their creators.
      for (const creator of one < other ? made : made.reverse()) await network.take([creator]);
      await network.take([aCreator({ id: c, network_id: '', handle: `at_the_end_${one}` })]);
      await save(await opsCreatorMerge(request(), { id: a, into: b, reason: 'x' }, network));
      await save(await opsCreatorMerge(request(), { id: b, into: c, reason: 'x' }, network));
      expect(await network.chores.run()).toBe(2);
      expect(await opsCreatorGet(request(), { id: c }, network)).toMatchObject({
        network_id: `96${one}`,
        handle: `of_network_${one}`,
      });
      expect(await network.identities.ofCreators([a, b])).toEqual([]);
    });

    it('is decided again when an earlier merge into it finished meanwhile', async () => {
      const [a, b, c] = [anId(0xe1), anId(0xe2), anId(0xe3)] as const;
      await network.take([
        aCreator({ id: a, network_id: '980', handle: 'raced_one' }),
        aCreator({ id: b, network_id: '', handle: 'raced_two' }),
        aCreator({ id: c, network_id: '', handle: 'raced_three' }),
      ]);
      await save(await opsCreatorMerge(request(), { id: a, into: b, reason: 'x' }, network));
      const decided = await opsCreatorMerge(request(), { id: b, into: c, reason: 'x' }, network);
      await network.chores.run();
      await expect(save(decided)).rejects.toThrow(LostRace);
    });

    it('answers open asks for a survivor that it puts on sale', async () => {
      const [sold, unsold] = [anId(0xa4), anId(0xa5)];
      await network.take([
        aCreator({ id: sold, network_id: '', handle: 'is_sold' }),
        aCreator({ id: unsold, network_id: '970', units: [] }),
      ]);
      const ask = { _id: anId(0x9e), ws: WS, creator_id: unsold, campaign_id: null, requested_at: new Date(NOW) };
      await inTx(network.store, aRequest().deadline, (tx) => network.priceAsks.open(tx, ask));
      await opsCreatorMerge(request(), { id: sold, into: unsold, reason: 'x' }, network).then(commit);
      expect(await network.priceAsks.byId(anId(0x9e))).toMatchObject({ status: 'priced' });
    });

    it('appears in no queue, nor does an erased one', async () => {
      const gone = { $or: [{ erased_at: { $exists: true } }, { merged_into: { $exists: true } }] };
      const left = { status: 'not_reviewed', flag_inactive: true, refresh_failed_at: new Date(NOW) } as const;
      const { matchedCount } = await network.store.db.collection<Creator>('creators').updateMany(gone, { $set: left });
      expect(matchedCount).toBeGreaterThan(2);
      const page = { status: null, q: null, ids: [], after: null, limit: 100, day: NOW.slice(0, 10) };
      for (const queue of ['vetting', 'inactive', 'refresh_failed'] as const)
        expect(await network.operated.page({ ...page, queue })).toEqual([]);
    });

    it('is erased together with its survivor', async () => {
      await by(OTHER, opsCreatorErase);
      for (const id of [OTHER, NEW, OLD])
        expect(await stored(id)).toMatchObject({ name: null, notes: null, erased_at: new Date(NOW) });
      expect(await where()).toEqual([]);
    });
  });
});
