import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Creator } from '../domain/creator/creator.js';
import { aCreator, anId } from '../test/builders.js';
import { APP_URL, NOW } from '../test/network.js';
import { testNetwork } from '../test/suite.js';
import { NetworkMemory } from './memory.js';

const IDS = [anId(1), anId(2), anId(3)] as const;
const DAY = NOW.slice(0, 10);

describe('the network in memory', () => {
  const network = testNetwork('memory_held');
  beforeAll(async () => {
    await network.take(IDS.map((id) => aCreator({ id })));
  });

  it('never confuses two creators after a change that failed', async () => {
    let broken: string | null = null;
    const rowFilter = {
      follow: async () => undefined,
      passes: (id: string) => {
        if (id === broken) throw new Error('of the test');
        return true;
      },
    };
    const memory = new NetworkMemory(network.creators, network.state, rowFilter, APP_URL);
    await memory.follow(DAY);
    expect(IDS.map((id) => memory.held(id)?._id)).toEqual(IDS);

    const creators = network.store.db.collection<Creator>('creators');
    const change = async (id: string, set: Partial<Creator>) =>
      creators.updateOne({ _id: id }, { $set: { ...set, network_version: await network.state.next() } });
    await change(IDS[0], { active: false });
    await change(IDS[1], { name: 'Broken' });
    broken = IDS[1];
    await expect(memory.take([IDS[0], IDS[1]], DAY)).rejects.toThrow('of the test');
    for (const id of IDS) expect([id, null]).toContain(memory.held(id)?._id ?? null);
  });
});
