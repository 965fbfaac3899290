import { createSecretKey } from 'node:crypto';
import { Deadline, inTx, Store } from '@cds/service';
import { testStore } from '@cds/service/testing';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { mandateFeed } from '../../../events/feed/mandates-in-feed.js';
import { Feed } from '../../../events/feed/store/feed.js';
import { newWorkspace } from '../../brands/seed-workspace.js';
import { Workspaces } from '../../brands/store/workspaces.js';
import { RightEnds } from '../../rights/store/right-ends.js';
import { readKey } from '../key-format.js';
import { keyRow } from '../key-rows.js';
import { KeyAdmission } from './key-admission.js';
import { KeyChanges } from './key-changes.js';
import { type KeyRow, Keys } from './keys.js';
import { Mandates } from './mandates.js';

const peppers = { 1: createSecretKey(Buffer.alloc(32, 7)) };
const wanted = { name: 'k', scopes: ['inventory:read'] as const, expiresAt: null, createdBy: 'test', own: false };

describe('a child key is admitted with its parent (docs/domain/access.md#child-keys)', () => {
  let store: Store;
  let drop: () => Promise<void>;
  /** Three gateways, each with a connection of its own. */
  let gateways: { store: Store; keys: Keys; changes: KeyChanges; admission: KeyAdmission }[];

  beforeAll(async () => {
    ({ store, drop } = await testStore('gateway_families'));
    const uri = process.env['CDS_TEST_MONGODB_URI'] ?? '';
    const more = () => Store.open({ uri, db: store.name }, pino({ level: 'silent' }));
    gateways = [store, await more(), await more()].map((one) => {
      const keys = new Keys(one);
      const billing = { gate_raise: async () => ({ min_mandate_version: 0 }) };
      const ends = new RightEnds(one, keys, new Workspaces(one), billing);
      const changes = new KeyChanges(one, keys, new Mandates(one, mandateFeed(new Feed(one))), ends);
      return { store: one, keys, changes, admission: new KeyAdmission(one, keys, peppers) };
    });
    await store.migrate();
  });
  afterAll(async () => {
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
  /** What step 4 asks: the key itself, then its parent; null when either is unknown. */
  const admit = async (text: string, at = 0, effect: 'read' | 'write' = 'write') => {
    const credential = readKey(text);
    if (credential === null) throw new Error('no key');
    const { admission } = gateway(at);
    const own = await admission.admit(credential, effect);
    if (own === null || own.parent === null) return own === null ? null : { own, parent: null };
    const parent = await admission.admitParent(own.parent, effect);
    return parent === null ? null : { own, parent };
  };
  /** Revokes a key as a person does: the change commits, is applied, and only then is answered. */
  const revoke = async (row: KeyRow, at = 0): Promise<void> => {
    const { store: on, changes } = gateway(at);
    const now = await on.now();
    const change = { kind: 'revoked' as const, ws: row.ws, key_ids: [row.key_id], at: now };
    const rows = await inTx(on, Deadline.in(30_000), (tx) => changes.add(tx, [change], now));
    await changes.apply(rows);
  };

  test('each request takes one unit of both windows, and the parent sees those of all its children', async () => {
    const parent = await made();
    const [one, two] = [await made({}, parent.row), await made({}, parent.row)];
    const counts = [];
    for (const text of [one.text, two.text, parent.text, one.text]) {
      const found = await admit(text);
      counts.push([found?.own.n, found?.parent?.n ?? null]);
    }
    expect(counts).toEqual([
      [1, 1],
      [1, 2],
      [3, null],
      [2, 4],
    ]);
  });

  test('a family gets 60 requests a minute together, through three gateways at once', async () => {
    for (let round = 0; round < 3; round += 1) {
      const parent = await made();
      const children = [await made({}, parent.row), await made({}, parent.row)];
      const texts = [parent, ...children].map(({ text }) => text);
      const found = await Promise.all(
        Array.from({ length: 300 }, (_none, index) => admit(texts[index % 3] ?? '', Math.floor(index / 3))),
      );
      const served = new Map<number, number>();
      for (const one of found) {
        if (one === null) throw new Error('a known key was refused');
        const { win, n } = one.parent ?? one.own;
        served.set(win.getTime(), (served.get(win.getTime()) ?? 0) + (n <= 60 ? 1 : 0));
      }
      for (const count of served.values()) expect(count).toBeLessThanOrEqual(60);
      expect(Math.max(...served.values())).toBe(60);
    }
  });

  test.each<[string, Partial<KeyRow>]>([
    ['revoked', { revoked_at: new Date(0) }],
    ['expired', { expires_at: new Date(0) }],
  ])('a child whose parent is %s is unknown, though its own row says nothing of it', async (_name, over) => {
    const parent = await made(over);
    const child = await made({}, parent.row);
    expect(await admit(child.text)).toBeNull();
    expect((await gateway(0).keys.byKeyId(child.row.ws, child.row.key_id))?.revoked_at).toBeNull();
    expect((await gateway(0).keys.byKeyId(parent.row.ws, parent.row.key_id))?.n).toBeUndefined();
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

  test('no request of a child that begins after the revocation of its parent is admitted, on any gateway (I48)', async () => {
    for (let round = 0; round < 8; round += 1) {
      const parent = await made();
      const child = await made({}, parent.row);
      let revokedBy = Number.POSITIVE_INFINITY;
      let refused = 0;
      const asking = Array.from({ length: 9 }, async (_none, index) => {
        while (refused < 30) {
          const began = performance.now();
          const found = await admit(child.text, index, index % 2 === 0 ? 'write' : 'read');
          if (found === null) refused += 1;
          else if (began > revokedBy) throw new Error('a child was admitted after its parent was revoked');
        }
      });
      await admit(child.text);
      await revoke(parent.row, round);
      revokedBy = performance.now();
      await Promise.all(asking);
    }
  }, 60_000);

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
        const change = { kind: 'child' as const, ws: row.ws, key_id: row.key_id, parent: parent.row.key_id, at: now };
        const rows = await inTx(on, Deadline.in(30_000), async (tx) => {
          await keys.insert(tx, [row]);
          return changes.add(tx, [change], now);
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
