import type { Store } from '@cds/service';
import { testStore } from '@cds/service/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { NetworkChanges } from './network-changes.js';

describe('heartbeats of several replicas', () => {
  let store: Store;
  let drop: () => Promise<void>;

  beforeAll(async () => {
    ({ store, drop } = await testStore('beats'));
    await store.db.command({ create: 'network_beats' });
  });
  afterAll(() => drop());

  it('are seen by each replica, even if another wrote the same number before', async () => {
    const replicas = [new NetworkChanges(store), new NetworkChanges(store)];
    const streams = await Promise.all(
      replicas.map(async (replica) => {
        const { changes, read } = replica.watch(await replica.present());
        return { changes, read };
      }),
    );
    for (const n of [1, 2, 3]) for (const replica of replicas) await replica.beat(n);
    await replicas[1]?.beat(4);

    for (const [index, { changes, read }] of streams.entries()) {
      const seen: number[] = [];
      for (let beat = 0; beat < 7; beat += 1) seen.push(...[read(await changes.next()).beat].filter((n) => n !== null));
      expect(seen).toEqual(index === 0 ? [1, 2, 3] : [1, 2, 3, 4]);
      await changes.close();
    }
  });
});
