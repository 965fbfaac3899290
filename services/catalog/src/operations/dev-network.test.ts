import { describe, expect, it } from '@jest/globals';
import { aRequest, NOW } from '../test/network.js';
import { testNetwork } from '../test/suite.js';
import { devNetwork } from './dev-network.js';

describe('dev_network', () => {
  const network = testNetwork('dev');

  it('is empty before the first load', async () => {
    expect(await devNetwork(aRequest(), {}, network)).toEqual({ creators: 0, newest_synced_at: null });
  });

  it('returns no date until a load has finished', async () => {
    await network.state.setLoaded({ creators: 5, seed: 1, as_of: new Date(NOW), done: false });
    expect(await devNetwork(aRequest(), {}, network)).toEqual({ creators: 0, newest_synced_at: null });
  });
});
