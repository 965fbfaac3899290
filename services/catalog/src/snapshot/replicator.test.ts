import { setTimeout as delay } from 'node:timers/promises';
import { makeLogger } from '@cds/service';
import { dayOf } from '@cds/service/calendar';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { NetworkChanges } from '../store/network-changes.js';
import { aCreator, anId } from '../test/builders.js';
import { APP_URL, aNetwork, NOW, type TestNetwork } from '../test/network.js';
import { Audiences } from './audiences.js';
import { NetworkMemory } from './memory.js';
import { NetworkReplicator } from './replicator.js';

const DAY = dayOf(new Date(NOW));

const until = async (holds: () => boolean | Promise<boolean>): Promise<void> => {
  const started = performance.now();
  while (!(await holds())) {
    if (performance.now() - started > 20_000) throw new Error('the condition did not come true');
    await delay(5);
  }
};

describe('the replicator of the network (docs/reliability.md#catalog-memory)', () => {
  let network: TestNetwork;
  let memory: NetworkMemory;
  let replicator: NetworkReplicator;
  let changes: NetworkChanges;
  let audiences: Audiences;
  const idsInMemory = () => [...memory.at(new Date(NOW)).ids()].sort((one, other) => (one < other ? -1 : 1));

  beforeEach(async () => {
    network = await aNetwork('replicator');
    await network.take([aCreator({ id: anId(0xf1) }), aCreator({ id: anId(0xf2) })]);
    memory = new NetworkMemory(
      network.creators,
      network.state,
      { follow: async () => undefined, passes: () => true },
      APP_URL,
    );
    changes = new NetworkChanges(network.store);
    audiences = new Audiences(network.contexts);
    replicator = new NetworkReplicator(changes, memory, audiences, async () => DAY, makeLogger('catalog', 'silent'));
    await replicator.start();
    await memory.follow(DAY);
  });
  afterEach(async () => {
    await replicator.stop();
    await network.drop();
  });

  it('applies what another replica writes, whether it raised the version or not', async () => {
    await network.take([aCreator({ id: anId(0xf3) })]);
    await until(() => idsInMemory().length === 3);
    await network.store.db
      .collection<{ _id: string }>('creators')
      .updateOne({ _id: anId(0xf1) }, { $set: { active: false } });
    await until(() => idsInMemory().length === 2);
    expect(idsInMemory()).toEqual([anId(0xf2), anId(0xf3)]);
    expect(memory.at(new Date(NOW)).counts).toEqual({ approved: 2, priced: 2 });
  });

  it('reads an audience on file again after another replica changed it', async () => {
    const workspace = 'followed';
    const idsOnFile = async () => (await audiences.of(workspace)).segments.map(({ id }) => id);
    const take = (version: number, audience: string) =>
      network.contexts.take({ workspace, version, audience }, new Date(NOW));
    expect(await idsOnFile()).toEqual([]);
    await take(1, 'gaming');
    await until(async () => (await idsOnFile()).includes('gaming'));
    await take(2, 'startup founders');
    await until(async () => (await idsOnFile()).includes('startup-founders'));
  });

  it('leaves the queue group while its heartbeats are not seen, and rebuilds before it rejoins', async () => {
    const calls: string[] = [];
    replicator.attach({ leave: async () => void calls.push('leave'), join: () => void calls.push('join') });
    const beat = changes.beat.bind(changes);
    changes.beat = () => Promise.reject(new Error('the database is unavailable'));
    await until(() => replicator.problem() !== null);
    expect(calls).toEqual(['leave']);
    changes.beat = beat;
    await until(() => calls.length === 2);
    expect(calls).toEqual(['leave', 'join']);
    expect(replicator.problem()).toBeNull();
    expect(replicator.lag()).toBeLessThan(5_000);
  });
});
