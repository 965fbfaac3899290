import { createSecretKey } from 'node:crypto';
import { BusConnection, Counters, Deadline, inTx, RequestMux, Store } from '@cds/service';
import { draws, TestCounters, TestNats, testStore } from '@cds/service/testing';
import { until } from '@cds/service/testing/suite';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { Windows } from '../../../edge/module.js';
import { mandateFeed } from '../../../events/feed/mandates-in-feed.js';
import { Feed } from '../../../events/feed/store/feed.js';
import { newWorkspace } from '../../brands/seed-workspace.js';
import { Workspaces } from '../../brands/store/workspaces.js';
import { RightEnds } from '../../rights/store/right-ends.js';
import { type Credential, readKey } from '../key-format.js';
import { keyRow } from '../key-rows.js';
import { type Admitted, KeyAdmission } from './key-admission.js';
import { KeyChanges } from './key-changes.js';
import { type KeyChange, type KeyRow, Keys } from './keys.js';
import { Mandates } from './mandates.js';

const peppers = { 1: createSecretKey(Buffer.alloc(32, 7)) };
const wanted = { name: 'k', scopes: ['inventory:read'] as const, expiresAt: null, createdBy: 'test', own: false };

type Gateway = { store: Store; keys: Keys; changes: KeyChanges; admission: KeyAdmission };

const silent = pino({ level: 'silent' });
const REVOCATIONS = draws(20);
const LOST_BUSES = draws(6);

/** A gateway's part in authentication, with connections of its own. */
const gatewayOn = async (store: Store) => {
  const counters = await TestCounters.open(store.name);
  return { ...partsOf(store, counters), counters };
};

const partsOf = (store: Store, counters: Pick<Counters, 'add'>): Gateway => {
  const windows = new Windows(counters, store);
  const keys = new Keys(store);
  const ends = new RightEnds(store, keys, new Workspaces(store), {
    gate_raise: async () => ({ min_mandate_version: 0 }),
  });
  const changes = new KeyChanges(store, keys, windows, new Mandates(store, mandateFeed(new Feed(store))), ends);
  return { store, keys, changes, admission: new KeyAdmission(keys, windows, peppers) };
};

describe('requests of keys through three gateways (docs/reliability.md#authentication)', () => {
  let store: Store;
  let drop: () => Promise<void>;
  let gateways: (Gateway & { counters: TestCounters })[];
  const statements: string[] = [];

  beforeAll(async () => {
    ({ store, drop } = await testStore('gateway_keys'));
    const uri = process.env['CDS_TEST_MONGODB_URI'] ?? '';
    const more = () => Store.open({ uri, db: store.name }, pino({ level: 'silent' }));
    gateways = await Promise.all([store, await more(), await more()].map(gatewayOn));
    store.onCommand(({ commandName }) => statements.push(commandName));
    await store.migrate();
  });
  afterAll(async () => {
    await Promise.all(gateways.map(({ counters }) => counters.close()));
    await Promise.all(gateways.slice(1).map((one) => one.store.close()));
    await drop();
  });

  const gateway = (index: number) => {
    const one = gateways[index % gateways.length];
    if (one === undefined) throw new Error('no gateway');
    return one;
  };
  type Made = { row: KeyRow; text: string };
  const made = async (over: Partial<KeyRow> = {}, parent?: KeyRow): Promise<Made> => {
    const now = await store.now();
    const workspace = newWorkspace('b', 'live', 1, 'acme', now, parent?.ws);
    const of = parent === undefined ? null : { key_id: parent.key_id, public_id: parent._id };
    const { row, text } = keyRow(peppers, workspace, { ...wanted, parent: of }, now);
    await inTx(store, Deadline.in(30_000), (tx) => gateway(0).keys.insert(tx, [{ ...row, ...over }]));
    return { row, text };
  };
  const admit = (text: string, at = 0, effect: 'read' | 'write' = 'read') => {
    const credential = readKey(text);
    if (credential === null) throw new Error('no key');
    return gateway(at).admission.admit(credential, effect);
  };
  /** Changes keys as a person does: the change commits, is applied, and only then is answered. */
  const change = async (asked: KeyChange, at = 0): Promise<void> => {
    const { store: on, changes } = gateway(at);
    const now = await on.now();
    await changes.apply(await inTx(on, Deadline.in(30_000), (tx) => changes.add(tx, [asked], now)));
  };
  const revoke = async ({ ws, key_id }: KeyRow, at = 0): Promise<void> =>
    change({ kind: 'revoked', ws, key_ids: [key_id], at: await store.now() }, at);

  /** How many requests of each minute were within the limit. */
  const servedOf = (found: readonly (Admitted | null)[]): number[] => {
    const served = new Map<number, number>();
    for (const one of found) {
      if (one === null) throw new Error('a known key was refused');
      const { win, n } = one.parent ?? one.key;
      served.set(win.getTime(), (served.get(win.getTime()) ?? 0) + (n <= 60 ? 1 : 0));
    }
    return [...served.values()];
  };

  test('a known key is answered with its workspace, its window and database time', async () => {
    const { row, text } = await made();
    const found = await admit(text, 0, 'write');
    expect(found).toMatchObject({
      parent: null,
      key: { key_id: row.key_id, ws: row.ws, n: 1, scopes: ['inventory:read'] },
    });
    expect(found?.key).not.toHaveProperty('secret_hmac');
    const { seen_at, win } = found?.key ?? { seen_at: new Date(0), win: new Date(0) };
    expect(Math.abs(seen_at.getTime() - (await store.now()).getTime())).toBeLessThan(5_000);
    expect(win.getTime()).toBe(Math.floor(seen_at.getTime() / 60_000) * 60_000);
  });

  test('a key costs no statement until its minute ends or it changes, and a write one that no old primary answers', async () => {
    const { row, text } = await made();
    const costs = async (effect: 'read' | 'write' = 'read') => {
      statements.length = 0;
      const found = await admit(text, 0, effect);
      return { found, cost: statements.filter((name) => name !== 'hello').length };
    };
    const first = await costs();
    const rest = [await costs(), await costs(), await costs('write'), await costs('write'), await costs()];
    const minutes = new Set([first, ...rest].map(({ found }) => found?.key.win.getTime()));
    // Unknown before, it is read before and after it is counted.
    expect(first.cost).toBe(2);
    if (minutes.size === 1) expect(rest.map(({ cost }) => cost)).toEqual([0, 0, 1, 0, 0]);
    await change({ kind: 'clock', ws: row.ws, offset_ms: 7_000 }, 1);
    const { found, cost } = await costs();
    expect([found?.key.offset_ms, cost]).toEqual([7_000, 1]);
  });

  test('a thousand requests at once through all gateways serve exactly 60 in their minute, each time (I36)', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { text } = await made();
      const found = await Promise.all(Array.from({ length: 1_000 }, (_none, index) => admit(text, index)));
      expect(servedOf(found)).toEqual(servedOf(found).map(() => 60));
    }
  });

  test('each request takes one unit of both windows, and the parent sees those of all its children', async () => {
    const parent = await made();
    const [one, two] = [await made({}, parent.row), await made({}, parent.row)];
    const counts = [];
    for (const text of [one.text, two.text, parent.text, one.text]) {
      const found = await admit(text);
      counts.push([found?.key.n, found?.parent?.n ?? null]);
    }
    expect(counts).toEqual([
      [1, 1],
      [1, 2],
      [3, null],
      [2, 4],
    ]);
  });

  test('a family gets 60 requests a minute together', async () => {
    for (let round = 0; round < 3; round += 1) {
      const parent = await made();
      const children = [await made({}, parent.row), await made({}, parent.row)];
      const texts = [parent, ...children].map(({ text }) => text);
      const found = await Promise.all(
        Array.from({ length: 300 }, (_none, index) => admit(texts[index % 3] ?? '', Math.floor(index / 3))),
      );
      for (const count of servedOf(found)) expect(count).toBeLessThanOrEqual(60);
      expect(Math.max(...servedOf(found))).toBe(60);
    }
  });

  test('each key is answered with its own count, also beside wrong secrets', async () => {
    const [one, two] = [await made(), await made({ revoked_at: new Date(0) })];
    const wrong = { publicId: one.row._id, secret: 'x'.repeat(43), sandbox: false };
    const found = await Promise.all([
      admit(one.text),
      admit(one.text),
      admit(two.text),
      gateway(0).admission.admit(wrong, 'read'),
      gateway(0).admission.admit({ ...wrong, publicId: 'nobody' }, 'read'),
      admit(one.text),
    ]);
    expect(found.map((each) => each?.key.n ?? null)).toEqual([1, 2, null, null, null, 3]);
  });

  test.each<[string, Partial<KeyRow>]>([
    ['revoked', { revoked_at: new Date(0) }],
    ['expired', { expires_at: new Date(0) }],
    ['of another kind of workspace', { sandbox: true }],
    ['an own agent key without a secret', { secret_hmac: null, own: true }],
  ])('a key that is %s is unknown and counts nothing', async (_name, over) => {
    const { text } = await made(over);
    const { counters } = gateway(0);
    const before = counters.counted.length;
    expect(await admit(text)).toBeNull();
    expect(counters.counted.length).toBe(before);
  });

  test('a key is known until it expires', async () => {
    const { row, text } = await made({ expires_at: new Date('2099-01-01T00:00:00.000Z') });
    expect(await admit(text)).not.toBeNull();
    const settings = { name: 'k', scopes: row.scopes, expires_at: new Date(Date.now() - 60_000), may_delegate: false };
    await change({ kind: 'settings', ws: row.ws, key_id: row.key_id, version: 7, settings }, 1);
    expect(await admit(text)).toBeNull();
    const later = { ...settings, expires_at: null };
    await change({ kind: 'settings', ws: row.ws, key_id: row.key_id, version: 8, settings: later }, 1);
    expect(await admit(text)).not.toBeNull();
  });

  test.each<[string, Partial<KeyRow>]>([
    ['revoked', { revoked_at: new Date(0) }],
    ['expired', { expires_at: new Date(0) }],
  ])('a child whose parent is %s is unknown, though its own row says nothing of it', async (_name, over) => {
    const parent = await made(over);
    const child = await made({}, parent.row);
    expect(await admit(child.text)).toBeNull();
    expect((await gateway(0).keys.byKeyId(child.row.ws, child.row.key_id))?.revoked_at).toBeNull();
  });

  test('a row that names a parent of another id is never admitted by it', async () => {
    const [parent, other] = [await made(), await made()];
    const child = await made({ parent: { key_id: other.row.key_id, public_id: parent.row._id } });
    expect(await admit(child.text)).toBeNull();
  });

  test('revoking a parent marks its children, and no other key', async () => {
    const parent = await made();
    const [child, other] = [await made({}, parent.row), await made({ ws: parent.row.ws })];
    await revoke(parent.row);
    const revokedAt = async ({ row }: Made) =>
      (await gateway(0).keys.byKeyId(parent.row.ws, row.key_id))?.revoked_at ?? null;
    expect(await revokedAt(parent)).not.toBeNull();
    expect(await revokedAt(child)).toEqual(await revokedAt(parent));
    expect(await revokedAt(other)).toBeNull();
  });

  test('no request that begins after a revocation was answered is admitted, of the key or of its child (I48)', async () => {
    for (let round = 0; round < REVOCATIONS; round += 1) {
      const parent = await made();
      const child = await made({}, parent.row);
      let revokedBy = Number.POSITIVE_INFINITY;
      let refused = 0;
      let late = 0;
      const asking = Array.from({ length: 9 }, async (_none, index) => {
        while (refused < 30) {
          const began = performance.now();
          const { text } = index % 3 === 0 ? parent : child;
          const found = await admit(text, index, index % 2 === 0 ? 'write' : 'read');
          if (found === null) refused += 1;
          else if (began > revokedBy) late = refused += 1;
        }
      });
      await Promise.all([0, 1, 2].map((at) => admit(child.text, at)));
      await revoke(parent.row, round);
      revokedBy = performance.now();
      await Promise.all(asking);
      expect(late).toBe(0);
    }
  }, 300_000);

  test('a bus that is killed, or loses its stream, between a request and a revocation admits nobody late (I48)', async () => {
    const nats = await TestNats.start();
    await nats.declare();
    const connections: BusConnection[] = [];
    const onBus = await Promise.all(
      gateways.map(async ({ store: on }) => {
        const connection = await BusConnection.open('gateway', { url: nats.url, user: '', password: '' }, silent);
        connections.push(connection);
        return partsOf(on, new Counters(connection, new RequestMux(connection)));
      }),
    );
    const isAdmitted = async (text: string, at: number): Promise<boolean | null> =>
      (onBus[at] as Gateway).admission.admit(readKey(text) as Credential, 'read').then(
        (found) => found !== null,
        () => null, // 503: nobody knows whether it was counted.
      );
    for (let round = 0; round < LOST_BUSES; round += 1) {
      const { row, text } = await made();
      for (const at of [0, 1, 2]) await until(() => isAdmitted(text, at));
      const { changes, store: on } = onBus[round % 3] as Gateway;
      const now = await on.now();
      const gone = { kind: 'revoked' as const, ws: row.ws, key_ids: [row.key_id], at: now };
      const rows = await inTx(on, Deadline.in(30_000), (tx) => changes.add(tx, [gone], now));
      const applied = until(
        () =>
          changes.apply(rows).then(
            () => true,
            () => false,
          ),
        30_000,
      );
      if (round % 2 === 0) await applied;
      await nats.kill();
      if (round % 3 === 0) await nats.wipe();
      await nats.start();
      await nats.declare();
      await applied;
      for (const at of [0, 1, 2])
        expect(await until(async () => String(await isAdmitted(text, at)).replace('null', '') || null)).toBe('false');
    }
    await Promise.all(connections.map((one) => one.close()));
    await nats.stop();
  }, 300_000);

  test('a suspension, a scope and a mandate that were answered count for the next request on every gateway', async () => {
    const { row, text } = await made();
    const onEach = async () => Promise.all([0, 1, 2].map(async (at) => (await admit(text, at))?.key));
    await onEach();
    await change({ kind: 'suspension', ws: row.ws, version: 5, suspended: true }, 0);
    expect((await onEach()).map((key) => key?.suspended)).toEqual([true, true, true]);
    const settings = { name: 'k', scopes: [], expires_at: null, may_delegate: false };
    await change({ kind: 'settings', ws: row.ws, key_id: row.key_id, version: 5, settings }, 1);
    expect((await onEach()).map((key) => key?.scopes)).toEqual([[], [], []]);
    await change({ kind: 'mandate', ws: row.ws, key_id: row.key_id, version: 5, mandate: null }, 2);
    expect((await onEach()).map((key) => key?.mandate_version)).toEqual([5, 5, 5]);
  });

  test('a child that is made while its parent is revoked ends up revoked, whichever comes first', async () => {
    for (let round = 0; round < 30; round += 1) {
      const parent = await made();
      const { store: on, changes, keys } = gateway(round);
      const making = (async () => {
        const now = await on.now();
        const { row } = keyRow(
          peppers,
          newWorkspace('b', 'live', 1, 'acme', now, parent.row.ws),
          { ...wanted, parent: { key_id: parent.row.key_id, public_id: parent.row._id } },
          now,
        );
        const child = { kind: 'child' as const, ws: row.ws, key_id: row.key_id, parent: parent.row.key_id, at: now };
        const rows = await inTx(on, Deadline.in(30_000), async (tx) => {
          await keys.insert(tx, [row]);
          return changes.add(tx, [child], now);
        });
        await changes.apply(rows);
        return row;
      })();
      const [row] = await Promise.all([making, revoke(parent.row, round + 1)]);
      expect((await keys.byKeyId(row.ws, row.key_id))?.revoked_at).not.toBeNull();
      expect(await keys.countActive(row.ws, new Date())).toBe(0);
    }
  }, 60_000);

  test('an expired key leaves its place among the active keys, a child or not', async () => {
    const parent = await made();
    await made({ expires_at: new Date(0) }, parent.row);
    await made({ expires_at: new Date('2099-01-01T00:00:00.000Z') }, parent.row);
    await made({ expires_at: new Date(0), ws: parent.row.ws });
    expect(await gateway(0).keys.countActive(parent.row.ws, new Date())).toBe(2);
  });
});
