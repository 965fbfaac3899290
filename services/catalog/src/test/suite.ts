import { afterAll, beforeAll } from '@jest/globals';
import { aNetwork, type TestNetwork } from './network.js';

/** A network for the tests of a suite: made before the first, dropped after the last. */
export const testNetwork = (name: string): TestNetwork => {
  const network = {} as TestNetwork;
  beforeAll(async () => {
    Object.assign(network, await aNetwork(name));
  });
  afterAll(() => network.drop?.());
  return network;
};
