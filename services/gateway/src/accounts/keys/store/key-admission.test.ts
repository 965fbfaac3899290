import { createSecretKey } from 'node:crypto';
import { Deadline, inTx, Store } from '@cds/service';
import { testStore } from '@cds/service/testing';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { newWorkspace } from '../../brands/seed-workspace.js';
import { readKey } from '../key-format.js';
import { keyRow } from '../key-rows.js';
import { KeyAdmission } from './key-admission.js';
import { type KeyRow, Keys } from './keys.js';

const peppers = { 1: createSecretKey(Buffer.alloc(32, 7)) };
const wanted = { name: 'k', scopes: ['inventory:read'] as const, expiresAt: null, createdBy: 'test', own: false };

describe('one statement authenticates, counts and reads the time (docs/reliability.md#authentication)', () => {
  let store: Store;
  let drop: () => Promise<void>;
  let keys: Keys;
  let admission: KeyAdmission;

  beforeAll(async () => {
    ({ store, drop } = await testStore('gateway_keys'));
    keys = new Keys(store);
    admission = new KeyAdmission(store, keys, peppers);
    await store.migrate();
  });
  const onTestEnd: (() => Promise<void>)[] = [];
  afterAll(async () => {
    await Promise.all(onTestEnd.map((end) => end()));
    await drop();
  });

  const made = async (over: Partial<KeyRow> = {}): Promise<{ row: KeyRow; text: string }> => {
    const now = await store.now();
    const { row, text } = keyRow(peppers, newWorkspace('b', 'live', 1, 'acme', now), wanted, now);
    await inTx(store, Deadline.in(30_000), (tx) => keys.insert(tx, [{ ...row, ...over }]));
    return { row, text };
  };
  const admit = (text: string, effect: 'read' | 'write' = 'read', by = admission) => {
    const credential = readKey(text);
    if (credential === null) throw new Error('no key');
    return by.admit(credential, effect);
  };

  test('a known key is answered with its workspace, its window and database time', async () => {
    const { row, text } = await made();
    const key = await admit(text, 'write');
    expect(key).toMatchObject({ key_id: row.key_id, ws: row.ws, n: 1, scopes: ['inventory:read'] });
    expect(key).not.toHaveProperty('secret_hmac');
    expect(Math.abs((key?.seen_at.getTime() ?? 0) - (await store.now()).getTime())).toBeLessThan(5_000);
    expect(key?.win.getTime()).toBe(Math.floor((key?.seen_at.getTime() ?? 0) / 60_000) * 60_000);
  });

  test('a burst of 150 serves exactly 60 in its minute, and the count stops one above (I36)', async () => {
    const { text } = await made();
    const counts = (await Promise.all(Array.from({ length: 150 }, () => admit(text)))).map((key) => ({
      win: key?.win.getTime() ?? 0,
      n: key?.n ?? 0,
    }));
    for (const win of new Set(counts.map((one) => one.win))) {
      const of = counts.filter((one) => one.win === win);
      expect(of.filter((one) => one.n <= 60)).toHaveLength(Math.min(60, of.length));
      expect(Math.max(...of.map((one) => one.n))).toBeLessThanOrEqual(61);
    }
  });

  test('a thousand requests at once through two gateways serve exactly 60, each time (I36)', async () => {
    const other = await Store.open(
      { uri: process.env['CDS_TEST_MONGODB_URI'] ?? '', db: store.name },
      pino({ level: 'silent' }),
    );
    onTestEnd.push(() => other.close());
    const gateways = [admission, new KeyAdmission(other, new Keys(other), peppers)];
    for (let round = 0; round < 5; round += 1) {
      const { text } = await made();
      const credential = readKey(text);
      if (credential === null) throw new Error('no key');
      const answers = await Promise.all(
        Array.from({ length: 1_000 }, (_none, index) =>
          (gateways[index % 2] as KeyAdmission).admit(credential, 'read'),
        ),
      );
      const served = new Map<number, number>();
      for (const answer of answers) {
        if (answer === null) throw new Error('a known key was refused');
        const minute = answer.win.getTime();
        served.set(minute, (served.get(minute) ?? 0) + (answer.n <= 60 ? 1 : 0));
      }
      expect([...served.values()]).toEqual([...served.keys()].map(() => 60));
    }
  });

  test('batched requests read their own counts, even beside other keys and wrong secrets', async () => {
    const [one, two] = [await made(), await made({ revoked_at: new Date(0) })];
    const wrong = { publicId: one.row._id, secret: 'x'.repeat(43), sandbox: false };
    const [first, ...rest] = await Promise.all([
      admit(one.text),
      admit(one.text),
      admit(two.text),
      admission.admit(wrong, 'read'),
      admission.admit({ ...wrong, publicId: 'nobody' }, 'read'),
      admit(one.text),
    ]);
    expect([first?.n, ...rest.map((answer) => answer?.n ?? null)]).toEqual([1, 2, null, null, null, 3]);
    expect(rest[0]).toMatchObject({ key_id: one.row.key_id, ws: one.row.ws });
    expect(rest[0]).not.toHaveProperty('secret_hmac');
    expect(rest[0]).not.toHaveProperty('recent');
  });

  /** Locks a key by an open transaction of another process; returns what ends that. */
  const locked = async ({ row }: { row: KeyRow }): Promise<() => Promise<void>> => {
    const foreign = store.session();
    foreign.startTransaction();
    await store.db
      .collection<{ _id: string; held?: boolean }>('keys')
      .updateOne({ _id: row._id }, { $set: { held: true } }, { session: foreign });
    return async () => {
      await foreign.abortTransaction();
      await foreign.endSession();
    };
  };

  test('a statement that is stuck does not hold up the next ones, and its other keys are asked one by one', async () => {
    const [first, stuck, beside, next] = [await made(), await made(), await made(), await made()];
    const unlock = await locked(stuck);
    const ended: string[] = [];
    // The first runs by itself, and those that come meanwhile share a statement, which the stuck key then holds.
    const head = admit(first.text);
    const shared = [
      admit(stuck.text).catch(() => undefined),
      admit(beside.text).then(
        () => ended.push('beside'),
        () => ended.push('beside refused'),
      ),
    ];
    await head;
    await new Promise(setImmediate);
    for (let turn = 1; turn <= 3; turn += 1) {
      await admit(next.text);
      ended.push(`next ${turn}`);
    }
    await Promise.all(shared);
    await unlock();
    expect(ended).toEqual(['next 1', 'next 2', 'next 3', 'beside']);
  });

  test('a document that another transaction has locked delays only its own key', async () => {
    const stuck = await made();
    const others = await Promise.all(Array.from({ length: 6 }, () => made()));
    /** The keys of each shared statement that has the stuck one. */
    const shared: string[][] = [];
    store.onCommand(({ command }) => {
      const asked = (command['updates'] ?? []) as { q: { _id: string } }[];
      const ids = asked.map(({ q }) => q._id);
      if (ids.length > 1 && ids.includes(stuck.row._id)) shared.push(ids);
    });
    const unlock = await locked(stuck);
    const all = [...others, stuck].map(({ text }) => text);
    const round = () => Promise.allSettled(all.map((text) => Deadline.in(10_000).run(() => admit(text))));
    expect((await round()).at(-1)).toMatchObject({ status: 'rejected' });
    await round();
    await unlock();

    // The first statement that it was in failed; from then on it has statements of its own.
    expect(shared).toHaveLength(1);
    // Nothing that was refused counts, except the last: the server may have had its statement when the lock ended.
    expect([1, 2]).toContain((await admit(stuck.text))?.n);
  }, 60_000);

  test('a new minute restarts the count, and an older one never returns', async () => {
    const past = new Date(Math.floor((await store.now()).getTime() / 60_000 - 1) * 60_000);
    const { text } = await made({ win: past, n: 61, seen_at: past });
    expect(await admit(text)).toMatchObject({ n: 1 });

    const future = new Date(past.getTime() + 10 * 60_000);
    const ahead = await made({ win: future, n: 5, seen_at: past });
    expect(await admit(ahead.text)).toMatchObject({ n: 6, win: future });
  });

  test.each([
    ['revoked', { revoked_at: new Date(0) }],
    ['expired', { expires_at: new Date(0) }],
    ['of another kind of workspace', { sandbox: true }],
    ['an own agent key without a secret', { secret_hmac: null, own: true }],
  ] as [string, Partial<KeyRow>][])('a key that is %s is unknown and counts nothing', async (_name, over) => {
    const { row, text } = await made(over);
    expect(await admit(text)).toBeNull();
    expect((await keys.byKeyId(row.ws, row.key_id))?.n).toBeUndefined();
  });

  test('a key that expires later is known', async () => {
    const { text } = await made({ expires_at: new Date('2099-01-01T00:00:00.000Z') });
    expect(await admit(text)).not.toBeNull();
  });

  test('another secret under a known public id is unknown', async () => {
    const { row } = await made();
    expect(await admission.admit({ publicId: row._id, secret: 'x'.repeat(43), sandbox: false }, 'read')).toBeNull();
  });
});
