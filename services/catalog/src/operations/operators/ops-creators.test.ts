// @isolated: builders count what they made.
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { OpsCreator, OpsPriceAsk } from '@cds/contracts';
import { Deadline, inTx } from '@cds/service';
import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { Creator, PriceRow } from '../../domain/creator/creator.js';
import { aCreator, anId, aUnit } from '../../test/builders.js';
import { aRequest, NOW } from '../../test/network.js';
import { anOperatorRequest, saved } from '../../test/operators.js';
import { testNetwork } from '../../test/suite.js';
import { opsCreatorChange } from './ops-creator-change.js';
import { opsCreatorGet } from './ops-creator-get.js';
import { opsCreatorFlag, opsCreatorPause, opsCreatorResume } from './ops-creator-switch.js';
import { opsCreatorVet } from './ops-creator-vet.js';
import { opsCreatorFacts, opsCreatorsImport } from './ops-creators-import.js';
import { opsCreatorsList } from './ops-creators-list.js';
import { opsImportGet } from './ops-import-get.js';
import { opsLaunchAdd } from './ops-launch-add.js';
import { opsLaunchChange } from './ops-launch-change.js';
import { opsLaunchRemove } from './ops-launch-remove.js';
import { opsLaunchesList } from './ops-launches-list.js';
import { opsPriceAskClose } from './ops-price-ask-close.js';
import { opsPriceAsksList } from './ops-price-asks-list.js';
import { opsPriceSet } from './ops-price-set.js';
import { opsPricesList } from './ops-prices-list.js';

const ADA = anId(0xd1);
const BEN = anId(0xd2);

describe('operators', () => {
  const network = testNetwork('ops');

  const request = anOperatorRequest;
  /** Commits what a write decided, as the shell does, and returns its answer. */
  const commit = async <T>(decided: unknown): Promise<T> => {
    const { parts, answer } = await saved(network.store, decided);
    audited.push(...(parts.audit ?? []));
    opened.push(...(parts.events ?? []));
    parts.committed?.();
    return answer as T;
  };
  const audited: unknown[] = [];
  const opened: unknown[] = [];
  const stored = (id: string) => network.store.db.collection<Creator>('creators').findOne({ _id: id });
  const sent = async (text: string, type: 'json' | 'csv' = 'json') => {
    const id = randomUUID();
    const bytes = Buffer.from(text);
    const half = Math.ceil(bytes.length / 2);
    await network.uploads.put(id, 1, bytes.subarray(half), new Date(NOW));
    await network.uploads.put(id, 0, bytes.subarray(0, half), new Date(NOW));
    return { id, chunks: 2, bytes: bytes.length, type };
  };

  beforeAll(async () => {
    await network.take([
      aCreator({ id: ADA, handle: 'ada_h', name: 'Ada', status: 'not_reviewed', units: [] }),
      aCreator({ id: BEN, handle: 'ben_h', name: 'Ben', units: [aUnit({ asOf: '2026-10-25' })] }),
    ]);
  });

  it('find creators of every status by name, handle, status and queue, page by page', async () => {
    const find = async (query: Parameters<typeof opsCreatorsList>[1]) => {
      const { creators, next } = (await opsCreatorsList(request(), query, network)) as {
        creators: OpsCreator[];
        next: string | null;
      };
      return [creators.map(({ handle }) => handle), next];
    };
    expect(await find({})).toEqual([['ada_h', 'ben_h'], null]);
    expect(await find({ limit: 1 })).toEqual([['ada_h'], ADA]);
    expect(await find({ limit: 1, cursor: ADA })).toEqual([['ben_h'], null]);
    expect(await find({ status: 'approved' })).toEqual([['ben_h'], null]);
    expect(await find({ queue: 'vetting' })).toEqual([['ada_h'], null]);
    expect(await find({ q: '@BEN_' })).toEqual([['ben_h'], null]);
    expect(await find({ q: 'Ada' })).toEqual([['ada_h'], null]);
    expect(await find({ q: '.*' })).toEqual([[], null]);
  });

  it('see the checks of the newest sync with their figures', async () => {
    expect(await opsCreatorGet(request(), { id: ADA }, network)).toMatchObject({
      handle: 'ada_h',
      url: 'https://example.com/test_1',
      vetting: {
        proposal: 'approved',
        of: 11,
        checks: expect.arrayContaining([{ check: 'followers', result: 'pass', figure: 28_000 }]),
      },
    });
    await expect(opsCreatorGet(request(), { id: randomUUID() }, network)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('decide a status once, with a reason that is audited without handles', async () => {
    const vet = async () =>
      commit<OpsCreator>(
        await opsCreatorVet(request(), { id: ADA, decision: 'approved', reason: 'I know @ada_h well' }, network),
      );
    expect(await vet()).toMatchObject({
      status: 'approved',
      listed: true,
      status_reason: expect.stringContaining('Reviewed 21 November 2026'),
    });
    expect(await stored(ADA)).toMatchObject({ status: 'approved', decided_at: new Date(NOW) });
    expect(audited.at(-1)).toMatchObject({
      actor: 'operator:op-1',
      action: 'creator.vetted_approved',
      object: ADA,
      reason: 'I know well',
    });
    await expect(vet()).rejects.toMatchObject({ code: 'conflict', details: { reason: 'bad_state' } });
  });

  it('turn switches, which lists reflect', async () => {
    const input = { id: BEN, reason: 'asked for it' };
    const count = async () => {
      await network.memory.follow(NOW.slice(0, 10));
      return network.memory.counts(new Date(NOW)).approved;
    };
    const before = await count();
    await commit(await opsCreatorPause(request(), input, network));
    expect(await count()).toBe(before - 1);
    await expect(opsCreatorPause(request(), input, network)).rejects.toMatchObject({
      details: { reason: 'bad_state' },
    });
    await commit(await opsCreatorResume(request(), input, network));
    expect(await count()).toBe(before);
    expect(await commit(await opsCreatorFlag(request(), input, network))).toMatchObject({
      flag_inactive: true,
      flag_pinned: true,
      bookable: false,
    });
  });

  it('pin segments and store notes, which later syncs leave unchanged', async () => {
    await commit(
      await opsCreatorChange(
        request(),
        {
          id: BEN,
          segments: [{ id: 'gaming', weight: 0.9 }],
          language: 'Turkish',
          manual_only: true,
          notes: 'ben_h is slow',
          reason: 'x',
        },
        network,
      ),
    );
    const held = await stored(BEN);
    expect(held).toMatchObject({
      manual_only: true,
      language: 'Turkish',
      notes: 'is slow',
      weights: [{ id: 'gaming', w: 0.9 }, {}],
    });
    const source = { asOf: new Date(NOW), recordedAt: new Date(NOW), viewsSource: 'network', setBy: 'test' } as const;
    await network.importer.importRows(
      [
        {
          row: 0,
          stated: { network_id: held?.network_id ?? '', handle: 'ben_h', language: 'German', posts: [], units: [] },
          refused: [],
        },
      ],
      source,
    );
    expect(await stored(BEN)).toMatchObject({
      language: 'Turkish',
      notes: 'is slow',
      weights: [{ id: 'gaming', w: 0.9 }],
      flag_inactive: true,
    });
  });

  it('add price rows; a creator’s ask never replaces the team’s', async () => {
    const set = async (over: object) =>
      commit<OpsCreator>(
        await opsPriceSet(
          request(),
          {
            id: ADA,
            format: 'post',
            ask_cents: 7_500,
            source: 'creator',
            as_of: '2026-11-20',
            reason: 'mail',
            ...over,
          },
          network,
        ),
      );
    expect((await set({})).units).toMatchObject([
      { format: 'post', price_cents: 10_000, expires_on: '2026-12-21', buyable: true },
    ]);
    opened.length = 0;
    const { units } = await set({ source: 'team', team_set: true, ask_cents: 15_000 });
    expect(units).toMatchObject([{ price_cents: 20_000, expires_on: null }]);
    expect(opened).toEqual([
      {
        name: 'price.changed',
        payload: { aggregate: ADA, version: Date.parse(NOW), unit_ids: [units[0]?.unit_id] },
      },
    ]);
    opened.length = 0;
    expect((await set({ as_of: '2026-11-21' })).units).toMatchObject([{ price_cents: 20_000 }]);
    expect(opened).toMatchObject([
      {
        name: 'catalog_task.opened',
        payload: {
          kind: 'ask_under_team_price',
          about: { creator_id: ADA },
          note: 'Post: asked $100 all-in as of 2026-11-21; the team’s price is $200.',
        },
      },
    ]);
    expect((await set({ format: 'quote', source: 'team' })).units).toMatchObject([
      {},
      { format: 'quote', price_method: 'agreed_rate' },
    ]);
    expect(
      await network.store.db
        .collection<PriceRow>('prices')
        .countDocuments({ creator_id: ADA, set_by: 'operator:op-1' }),
    ).toBe(4);
    await expect(set({ as_of: '2026-11-22', team_set: true })).rejects.toMatchObject({
      code: 'unprocessable',
      details: { problems: [{}, {}] },
    });
  });

  it('answer open asks with the price that puts a creator on sale, and close others', async () => {
    const ask = async (creator_id: string, ws: string) => {
      const _id = randomUUID();
      await inTx(network.store, aRequest().deadline, (tx) =>
        network.priceAsks.open(tx, { _id, ws, creator_id, campaign_id: null, requested_at: new Date(NOW) }),
      );
      return _id;
    };
    const states = async () =>
      ((await opsPriceAsksList(request(), {}, network)) as { price_asks: OpsPriceAsk[] }).price_asks
        .map(({ handle, status }) => [handle, status])
        .sort((one, other) => String(one).localeCompare(String(other)));
    const [mine, theirs] = [randomUUID(), randomUUID()];
    await ask(ADA, mine);
    const other = await ask(BEN, theirs);
    await commit(
      await opsPriceSet(
        request(),
        { id: ADA, format: 'thread', ask_cents: 900, source: 'team', as_of: '2026-11-01', reason: 'x' },
        network,
      ),
    );
    expect(await states()).toEqual([
      ['ada_h', 'priced'],
      ['ben_h', 'requested'],
    ]);
    await commit(await opsPriceAskClose(request(), { id: other, reason: 'gone' }, network));
    expect(await states()).toEqual([
      ['ada_h', 'priced'],
      ['ben_h', 'closed'],
    ]);
    await expect(opsPriceAskClose(request(), { id: other, reason: 'x' }, network)).rejects.toMatchObject({
      details: { reason: 'bad_state' },
    });
  });

  it('list prices, soonest to expire first', async () => {
    const list = async (query: Parameters<typeof opsPricesList>[1]) =>
      (
        (await opsPricesList(request(), query, network)) as {
          prices: { handle: string; format: string; expires_on: string | null }[];
        }
      ).prices;
    expect((await list({})).map(({ handle, format, expires_on }) => [handle, format, expires_on])).toEqual([
      ['ben_h', 'post', '2026-11-25'],
      ['ada_h', 'thread', '2026-12-02'],
      ['ada_h', 'quote', '2026-12-21'],
      ['ada_h', 'post', null],
    ]);
    expect(await list({ expiring_days: 4 })).toHaveLength(1);
    expect(await list({ expiring_days: 3 })).toEqual([]);
    expect(await list({ limit: 1, cursor: '2' })).toMatchObject([{ format: 'quote' }]);
  });

  it('track launches', async () => {
    const fields = {
      project: 'Orbit',
      brand: { name: 'Orbit Labs', handle: '@orbit' },
      date: '2026-11-01',
      reason: 'seen',
    };
    const { id } = await commit<{ id: string }>(await opsLaunchAdd(request(), fields, network));
    expect(await commit(await opsLaunchChange(request(), { id, title: 'Two', reason: 'x' }, network))).toMatchObject({
      project: 'Orbit',
      title: 'Two',
      brand: { handle: 'orbit', site: null },
    });
    expect(await opsLaunchesList(request(), {}, network)).toMatchObject({ launches: [{ id }], next: null });
    expect(await commit(await opsLaunchRemove(request(), { id }, network))).toEqual({ removed: true });
    await expect(opsLaunchRemove(request(), { id }, network)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('see the progress of a running import', async () => {
    const creators = Array.from({ length: 60 }, (_none, at) => ({ handle: `slow_${at}` }));
    const upload = await sent(JSON.stringify({ version: 1, as_of: NOW, source: 'operator', creators }));
    const seen: unknown[] = [];
    const imports = {
      renew: network.imports.renew,
      keep: async (row: Parameters<typeof network.imports.keep>[0]) => {
        await network.imports.keep(row);
        seen.push(await opsImportGet(request(), { id: upload.id }, network));
      },
    };
    await commit(await opsCreatorsImport(request(), { upload, dry_run: true }, { ...network, imports }));
    expect(seen).toMatchObject([
      { created: 0, done: false, failed: false, dry_run: true },
      { created: 25, done: false, failed: false, dry_run: true },
      { created: 50, done: false },
      { created: 60, done: false },
      { created: 60, done: true },
    ]);
  });

  it('have an import continue after the deadline of their request', async () => {
    const creators = Array.from({ length: 250 }, (_none, at) => ({ handle: `later_${at}`, name: `Later ${at}` }));
    const upload = await sent(JSON.stringify({ version: 1, as_of: NOW, source: 'operator', creators }));
    const began = Deadline.in(10).run(() => opsCreatorsImport(request(), { upload, dry_run: true }, network));
    await expect(began).rejects.toMatchObject({ code: 'unavailable' });
    const ended = async () => (await network.imports.byId(upload.id))?.done === true;
    for (const end = performance.now() + 20_000; !(await ended()) && performance.now() < end; ) await delay(20);
    expect(await opsImportGet(request(), { id: upload.id }, network)).toMatchObject({ created: 250, done: true });
  });

  it('see an import as running while it reports, and as failed when its process died', async () => {
    const id = randomUUID();
    const rows = network.store.db.collection<{ _id: string; at: Date; done: boolean }>('imports');
    const silentFor = (ms: number) => rows.updateOne({ _id: id }, [{ $set: { at: { $subtract: ['$$NOW', ms] } } }]);
    const progress = () => opsImportGet(request(), { id }, network);
    const row = {
      _id: id,
      created: 3,
      updated: 0,
      unchanged: 0,
      refused: [],
      dry_run: false,
      done: false,
      failed: false,
    };
    await network.imports.keep(row);
    await silentFor(25_000);
    expect(await progress()).toMatchObject({ created: 3, done: false, failed: false });
    await silentFor(31_000);
    expect(await progress()).toMatchObject({ created: 3, done: false, failed: true });
    await network.imports.renew(id);
    expect(await progress()).toMatchObject({ done: false, failed: false });
    await network.imports.keep({ ...row, done: true });
    await silentFor(31_000);
    expect(await progress()).toMatchObject({ done: true, failed: false });
  });

  it('get a report of a running import every ten seconds until it ends', async () => {
    jest.useFakeTimers({
      doNotFake: ['Date', 'hrtime', 'nextTick', 'performance', 'queueMicrotask', 'setImmediate', 'setTimeout'],
    });
    const renewed: string[] = [];
    const upload = await sent(JSON.stringify({ version: 1, as_of: NOW, source: 'operator', creators: [] }));
    let asked = 0;
    const imports = {
      renew: async (id: string) => void renewed.push(id),
      keep: async () => {
        asked += 1;
        if (asked === 1) jest.advanceTimersByTime(25_000);
      },
    };
    await commit(await opsCreatorsImport(request(), { upload, dry_run: true }, { ...network, imports }));
    jest.advanceTimersByTime(60_000);
    jest.useRealTimers();
    expect(renewed).toEqual([upload.id, upload.id]);
  });

  it('import files that arrived in chunks, and delete them', async () => {
    const text = JSON.stringify({
      version: 1,
      as_of: NOW,
      source: 'operator',
      creators: [{ handle: 'newüone' }, { handle: 'new_two', name: 'Zwölf' }],
    });
    const upload = await sent(`\uFEFF${text}`);
    expect(await commit(await opsCreatorsImport(request(), { upload }, network))).toEqual({
      id: upload.id,
      created: 1,
      updated: 0,
      unchanged: 0,
      refused: [{ row: 0, field: 'handle', message: expect.any(String) }],
      dry_run: false,
      done: true,
      failed: false,
    });
    expect(await opsImportGet(request(), { id: upload.id }, network)).toMatchObject({
      id: upload.id,
      created: 1,
      done: true,
    });
    expect(await network.uploads.count(upload.id)).toBe(0);
    await expect(opsCreatorsImport(request(), { upload }, network)).rejects.toMatchObject({ code: 'unavailable' });
    const nothing = await sent('nothing');
    await expect(opsCreatorsImport(request(), { upload: nothing }, network)).rejects.toMatchObject({
      code: 'unprocessable',
    });
    await expect(opsImportGet(request(), { id: randomUUID() }, network)).rejects.toMatchObject({ code: 'not_found' });

    const csv = await sent(
      'Post id,Date,Post text,Post Link,Impressions\n1,"Wed, Nov 18, 2026",Hi,https://x.com/ADA_H/status/1,900',
      'csv',
    );
    expect(await commit(await opsCreatorFacts(request(), { id: ADA, upload: csv, as_of: NOW }, network))).toMatchObject(
      { updated: 1, refused: [] },
    );
    expect(await stored(ADA)).toMatchObject({ views_source: 'creator', posts: [{ views: 900 }] });
  });
});
