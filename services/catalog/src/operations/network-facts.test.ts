import { NetworkFacts } from '@cds/contracts';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { rowFilter } from '../identity/handle-leak-filter.js';
import { NetworkMemory } from '../snapshot/memory.js';
import { aCreator, aUnit } from '../test/builders.js';
import { APP_URL, aRequest } from '../test/network.js';
import { testNetwork } from '../test/suite.js';
import { networkFacts } from './network-facts.js';

describe('network_facts', () => {
  const network = testNetwork('facts');
  const facts = async (now: string) =>
    NetworkFacts.strict().parse(await networkFacts(aRequest({ now }), {}, { memory: network.memory }));

  beforeAll(async () => {
    await network.take([aCreator({ units: [aUnit({ asOf: '2026-10-22' })] }), aCreator({ units: [] })]);
  });

  it('caches its count for five minutes and drops it at midnight', async () => {
    expect(await facts('2026-11-21T23:50:00.000Z')).toEqual({
      approved: 2,
      priced: 1,
      as_of: '2026-11-21T23:50:00.000Z',
    });
    expect(await facts('2026-11-21T23:55:00.000Z')).toMatchObject({ as_of: '2026-11-21T23:50:00.000Z' });
    expect(await facts('2026-11-21T23:55:01.000Z')).toMatchObject({ as_of: '2026-11-21T23:55:01.000Z' });
    expect(await facts('2026-11-22T00:00:00.000Z')).toEqual({
      approved: 2,
      priced: 0,
      as_of: '2026-11-22T00:00:00.000Z',
    });
  });

  it('is unavailable before the first count', async () => {
    const memory = new NetworkMemory(
      network.creators,
      network.state,
      rowFilter(network.handles, network.leakFilter),
      APP_URL,
    );
    await expect(networkFacts(aRequest(), {}, { memory })).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('includes what another replica imports', async () => {
    const other = new NetworkMemory(
      network.creators,
      network.state,
      rowFilter(network.handles, network.leakFilter),
      APP_URL,
    );
    await other.follow('2026-11-22');
    await network.take([aCreator()], '2026-11-22T00:00:00.000Z');
    await other.follow('2026-11-22');
    expect(other.counts(new Date('2026-11-22T01:00:00.000Z'))).toMatchObject({ approved: 3, priced: 1 });
  });
});
