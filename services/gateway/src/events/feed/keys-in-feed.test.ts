import { RowRunner } from '@cds/service';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { pino } from 'pino';
import type { KeyRow } from '../../accounts/keys/store/keys.js';
import type { MandateVersionRow } from '../../accounts/keys/store/mandates.js';
import { type Brand, type EdgeApp, makeBrand, startEdgeApp, startReplica } from '../../test/edge-app.js';
import { ask, freshKey } from '../../test/http.js';
import { aPersonCtx } from '../../test/person.js';
import { KeysInFeed } from './keys-in-feed.js';
import type { FeedEvent } from './store/feed.js';

const DAY_MS = 86_400_000;

/** What gateways of an earlier version leave out of the feed (docs/reliability.md#events-feed). */
describe('beside a gateway of an earlier version', () => {
  let edge: EdgeApp;
  let other: EdgeApp;
  let brand: Brand;
  let ws: string;
  beforeAll(async () => {
    edge = await startEdgeApp('gateway_keys_in_feed');
    other = await startReplica(edge);
  });
  afterAll(async () => {
    await other.stop();
    await edge.stop();
  });
  beforeEach(async () => {
    brand = await makeBrand(edge);
    ws = brand.workspaces.live;
  });

  const idOf = (name: string): string => brand.ids[name] ?? '';
  const keys = () => edge.shell.store.db.collection<KeyRow>('keys');
  const passOf = ({ shell, deps }: EdgeApp): KeysInFeed =>
    new KeysInFeed({ ...deps, store: shell.store }, new RowRunner(shell.store, pino({ level: 'silent' })));
  /** Runs the pass once at each gateway, as if the other had died. */
  const passes = async (): Promise<void> => {
    for (const one of [edge, other]) {
      const pass = passOf(one);
      await pass.run();
      await pass.stop();
    }
  };
  const leaseEnds = () =>
    edge.shell.store.db
      .collection('leases')
      .updateOne({ _id: 'keys in the feed' as never }, { $set: { until: new Date(0) } });

  const events = async (keyId: string): Promise<FeedEvent[]> => {
    const { events: all } = await edge.deps.feed.next({ ws, seq: 0 }, await edge.deps.feed.head(ws), 200);
    return all.filter(({ aggregate }) => aggregate.id === keyId);
  };
  const said = async (keyId: string) =>
    (await events(keyId)).map(({ version, data: { cause, parent_id, mandate } }) => ({
      ...{ version, cause, parent_id },
      ends: mandate === null,
    }));
  const ended = async (keyId: string) => (await said(keyId)).filter(({ cause }) => cause === 'revoked');

  /** Revokes a key like a gateway that does not know the event. */
  const revokedByOld = async (keyId: string): Promise<Date> => {
    const at = await edge.shell.store.now();
    await edge.deps.keys.apply({ kind: 'revoked', ws, key_ids: [keyId], at });
    return at;
  };
  const child = async (): Promise<string> => {
    await edge.run('key_change', aPersonCtx(ws), { id: idOf('full'), may_delegate: true });
    const expires_at = new Date(Date.now() + DAY_MS).toISOString();
    const mandate = {
      max_plan_cents: 100,
      monthly_cap_cents: 100,
      channels: ['x_creators'],
      may_approve: false,
      expires_at,
    };
    const answer = await ask(edge.url, '/api/v1/keys/children', {
      method: 'POST',
      key: brand.live['full'] ?? '',
      headers: { 'idempotency-key': freshKey() },
      body: { name: 'helper', scopes: ['inventory:read'], mandate, expires_at },
    });
    expect(answer.status).toBe(201);
    return (answer.json as { key: { id: string } }).key.id;
  };
  /** Leaves a child's rows like a gateway that does not know `parent_id`. */
  const madeByOld = async (keyId: string): Promise<void> => {
    const { db } = edge.shell.store;
    await keys().updateOne({ key_id: keyId }, { $unset: { parent_in_feed: 1 } });
    await db.collection('mandates').updateOne({ key_id: keyId }, { $unset: { parent_id: 1 } });
    await db.collection('feed').updateOne({ ws, 'aggregate.id': keyId }, { $unset: { 'data.parent_id': 1 } });
  };

  test('the mandate of a key that it revoked ends with one event, of the time of the revocation', async () => {
    const at = await revokedByOld(idOf('full'));
    const { version } = (await events(idOf('full'))).at(-1) ?? { version: 0 };
    expect(await ended(idOf('full'))).toEqual([]);
    await passes();
    await passes();
    expect(await ended(idOf('full'))).toEqual([
      { version: version + 1, cause: 'revoked', parent_id: null, ends: true },
    ]);
    expect((await events(idOf('full'))).at(-1)?.at).toEqual(at);
  });

  test('keys that are active, had no mandate or were revoked by this version get no event', async () => {
    await edge.run('key_revoke', aPersonCtx(ws), { id: idOf('writer') });
    await revokedByOld(idOf('bare'));
    const before = await edge.deps.feed.head(ws);
    await passes();
    expect(await edge.deps.feed.head(ws)).toBe(before);
    expect(await ended(idOf('writer'))).toHaveLength(1);
    expect(await keys().countDocuments({ ws, end_in_feed: true })).toBe(2);
  });

  test('of two gateways that run the pass at once, one adds the event', async () => {
    await revokedByOld(idOf('full'));
    const { mandates } = edge.deps;
    const end = mandates.ended.bind(mandates);
    const reached = Promise.withResolvers<void>();
    const goOn = Promise.withResolvers<void>();
    mandates.ended = async (...args) => {
      mandates.ended = end;
      // Its snapshot of the feed is from before the other's event.
      await mandates.newest(ws, idOf('full'), args[0]);
      reached.resolve();
      await goOn.promise;
      return end(...args);
    };
    const slow = passOf(edge).run();
    await reached.promise;
    await leaseEnds();
    await passOf(other).run();
    expect(await ended(idOf('full'))).toHaveLength(1);
    goOn.resolve();
    await slow;
    expect(await ended(idOf('full'))).toHaveLength(1);
    await leaseEnds();
  });

  test('a gateway that dies before the note leaves one event, and one that dies before the commit none', async () => {
    await revokedByOld(idOf('full'));
    const { mandates, keys: rows } = edge.deps;
    const [end, note] = [mandates.ended.bind(mandates), rows.noteInFeed.bind(rows)];
    mandates.ended = async (...args) => {
      await end(...args);
      throw new Error('killed');
    };
    await passOf(edge).run();
    mandates.ended = end;
    expect(await ended(idOf('full'))).toEqual([]);

    await leaseEnds();
    await edge.shell.store.db.collection('put_off').deleteMany({});
    const died = Promise.withResolvers<void>();
    rows.noteInFeed = () => {
      died.resolve();
      return new Promise<never>(() => undefined);
    };
    void passOf(edge).run();
    await died.promise;
    rows.noteInFeed = note;
    expect(await ended(idOf('full'))).toHaveLength(1);
    expect(await keys().countDocuments({ key_id: idOf('full'), end_in_feed: true })).toBe(0);

    await leaseEnds();
    await passes();
    expect(await ended(idOf('full'))).toHaveLength(1);
    expect(await keys().countDocuments({ key_id: idOf('full'), end_in_feed: true })).toBe(1);
  });

  test('the feed says of a child that it made who made it, and its end is the version after that', async () => {
    const id = await child();
    await madeByOld(id);
    await passes();
    await passes();
    const parent_id = idOf('full');
    const made = { version: 1, cause: 'set', parent_id: undefined, ends: false };
    const named = { version: 2, cause: 'set', parent_id, ends: false };
    expect(await said(id)).toEqual([made, named]);
    expect((await events(id)).map(({ at }) => at)[1]).toEqual((await events(id))[0]?.at);
    const row = await edge.shell.store.db.collection<MandateVersionRow>('mandates').findOne({ key_id: id });
    expect(row).toMatchObject({ version: 1, parent_id });

    expect(await edge.run('key_revoke', aPersonCtx(ws), { id })).toMatchObject({ status: 200 });
    await passes();
    expect(await said(id)).toEqual([made, named, { version: 3, cause: 'revoked', parent_id, ends: true }]);
  });

  test('a child that it revoked ends with an event, but one that ends with its parent has none', async () => {
    const [alone, together] = [await child(), await child()];
    await madeByOld(together);
    await revokedByOld(alone);
    await passes();
    await revokedByOld(idOf('full'));
    await passes();
    const parent_id = idOf('full');
    expect(await ended(alone)).toEqual([{ version: 2, cause: 'revoked', parent_id, ends: true }]);
    expect((await said(together)).map(({ cause, parent_id: by }) => [cause, by])).toEqual([
      ['set', undefined],
      ['set', parent_id],
    ]);
    expect(await ended(parent_id)).toHaveLength(1);
    expect(await keys().countDocuments({ key_id: { $in: [alone, together] }, end_in_feed: true })).toBe(2);
  });

  test('a pass that finds nothing reads no key', async () => {
    await passes();
    const [filter] = await explained(() => edge.deps.keys.notInFeed([]));
    const plan = await edge.shell.store.db.command({ explain: { find: 'keys', filter }, verbosity: 'executionStats' });
    expect(plan['executionStats']).toMatchObject({ nReturned: 0, totalDocsExamined: 0 });
  });

  /** The filters of what `work` finds among the keys. */
  const explained = async (work: () => Promise<unknown>): Promise<unknown[]> => {
    const filters: unknown[] = [];
    let listening = true;
    edge.shell.store.onCommand(({ commandName, command }) => {
      if (listening && commandName === 'find' && command['find'] === 'keys') filters.push(command['filter']);
    });
    await work();
    listening = false;
    return filters;
  };
});
