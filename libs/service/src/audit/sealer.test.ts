import { beforeEach, describe, expect, it } from '@jest/globals';
import { Deadline } from '../deadline/deadline.js';
import { inTx } from '../store/in-tx.js';
import { Lease } from '../store/lease.js';
import { storeSuite } from '../testing/suite.js';
import { Audit, entryOf, type SealedRow } from './audit.js';
import { hashOf, NO_PREVIOUS } from './entry.js';
import { AuditHeads } from './heads.js';
import { Sealer } from './sealer.js';

/** Every await of a batch, by the point after it. */
const POINTS = ['leased', 'read', 'headed', 'guarded', 'sealed', 'moved', 'committed'].map((name) => `audit.${name}`);
const OUTSIDE = POINTS.filter((point) => !['audit.guarded', 'audit.sealed', 'audit.moved'].includes(point));

class Died extends Error {}

/** Sealing under a lease, with deaths and pauses at every await (docs/reliability.md#audit). */
describe('the sealer', () => {
  const test = storeSuite('sealer', (store) => {
    new Lease(store, 'audit');
    return { audit: new Audit(store), heads: new AuditHeads(store) };
  });
  beforeEach(async () => {
    for (const name of ['audit', 'audit_heads', 'leases']) await test.store.db.collection(name).deleteMany({});
  });

  const aSealer = (failpoints: { hit?: (at: string) => void; pause?: (at: string) => Promise<void> } = {}) =>
    new Sealer({
      service: 'billing',
      store: test.store,
      audit: test.audit,
      heads: test.heads,
      lease: new Lease(test.store, 'audit'),
      failpoints: { hit: () => undefined, pause: async () => undefined, ...failpoints },
    });
  let made = 0;
  const act = (...workspaces: string[]) =>
    inTx(test.store, Deadline.in(10_000), (tx) =>
      test.audit.add(
        tx,
        workspaces.map((ws) => {
          made += 1;
          return { ws, actor: 'system', action: 'test.act', object: `object-${made}`, payload: { made } };
        }),
        new Date(Date.UTC(2026, 10, 21) + made),
      ),
    );
  const expireLease = () => test.store.db.collection('leases').updateOne({}, { $set: { until: new Date(0) } });

  /** Every chain is dense and linked, every row is in one, and the heads are the ends. */
  const check = async (expected: number): Promise<void> => {
    const rows = (await test.audit.rows.find({}).sort({ ws: 1, seq: 1 }).toArray()) as SealedRow[];
    expect(rows.map(({ sealed }) => sealed)).toEqual(rows.map(() => true));
    expect(rows).toHaveLength(expected);
    const workspaces = [...new Set(rows.map(({ ws }) => ws))];
    const ends = await test.heads.of(workspaces);
    for (const ws of workspaces) {
      const chain = rows.filter((row) => row.ws === ws);
      let prev = NO_PREVIOUS;
      for (const [index, row] of chain.entries()) {
        expect([row.seq, row.prev]).toEqual([index + 1, prev]);
        expect(row.hash).toBe(hashOf(entryOf('billing', row, row.seq, row.prev)));
        prev = row.hash;
      }
      expect(ends.heads.get(ws)).toEqual({ _id: ws, seq: chain.length, hash: prev });
    }
    expect(ends.all.seq).toBe(expected);
    expect(rows.map(({ place }) => place).sort((a, b) => a - b)).toEqual(rows.map((_row, index) => index + 1));
  };

  it('gives the entries of each workspace a chain of their own, over several batches', async () => {
    await act('a', 'b', 'a', '');
    expect(await aSealer().run()).toBe(4);
    await expireLease();
    await act(...Array.from({ length: 1_203 }, (_, index) => (index % 3 === 0 ? 'b' : 'c')));
    expect(await aSealer().run()).toBe(1_203);
    await check(1_207);
  });

  it('leaves the entries to the replica that holds the lease', async () => {
    const first = aSealer();
    await act('a');
    expect(await first.run()).toBe(1);
    await act('a');
    expect(await aSealer().run()).toBe(0);
    expect(await first.run()).toBe(1);
    await check(2);
  });

  it.each(POINTS)('leaves a chain that the next replica continues when it dies at %s', async (point) => {
    await act('a', 'b', 'a');
    const dies = aSealer({
      hit: (at) => {
        if (at === point) throw new Died();
      },
    });
    await expect(dies.run()).rejects.toThrow(Died);
    await expireLease();
    await act('a', 'b');
    await aSealer().run();
    await check(5);
  });

  it.each(OUTSIDE)('changes nothing when it wakes at %s after another replica took over', async (point) => {
    await act('a', 'b', 'a');
    let wake: () => void = () => undefined;
    const slept = new Promise<void>((asleep) => {
      void aSealer({
        pause: (at) => {
          if (at !== point) return Promise.resolve();
          asleep();
          return new Promise((resolve) => {
            wake = resolve;
          });
        },
      })
        .run()
        .then((sealed) => {
          woken = sealed;
        });
    });
    let woken: number | undefined;
    await slept;

    await expireLease();
    await act('b', 'a');
    await aSealer().run();
    const before = await test.audit.rows.find({}).sort({ _id: 1 }).toArray();
    const lease = await test.store.db.collection('leases').findOne({});
    wake();
    while (woken === undefined) await new Promise((resolve) => setImmediate(resolve));

    expect(await test.audit.rows.find({}).sort({ _id: 1 }).toArray()).toEqual(before);
    expect(await test.store.db.collection('leases').findOne({})).toEqual(lease);
    await check(5);
  });

  it('loses and doubles nothing while two replicas seal and business continues', async () => {
    const sealers = [aSealer(), aSealer()];
    let acting = true;
    const seal = async (sealer: Sealer): Promise<void> => {
      while (acting) await sealer.run().catch(() => 0);
    };
    const takeover = async (): Promise<void> => {
      while (acting) await expireLease();
    };
    const all = Promise.all([...sealers.map(seal), takeover()]);
    await Promise.all(
      Array.from({ length: 8 }, async () => {
        for (let round = 0; round < 12; round += 1) await act('a', 'b', 'c');
      }),
    );
    acting = false;
    await all;
    await expireLease();
    await aSealer().run();
    await check(8 * 12 * 3);
  });
});
