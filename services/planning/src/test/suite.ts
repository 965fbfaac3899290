import { afterAll, beforeAll } from '@jest/globals';
import { aWorld, type World } from './world.js';

/** A world for the tests of a suite: made before the first, dropped after the last. */
export const testWorld = (name: string): World => {
  let world: World | undefined;
  beforeAll(async () => {
    world = await aWorld(name);
  });
  afterAll(() => world?.drop());
  return new Proxy({} as World, { get: (_none, key) => Reflect.get(world ?? {}, key) });
};
