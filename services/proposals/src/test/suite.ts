import { afterAll, beforeAll } from '@jest/globals';
import { offersOnMongo } from './offers-on-mongo.js';

type World = Awaited<ReturnType<typeof offersOnMongo>>;

/** A world for the tests of a suite: made before the first, dropped after the last. */
export const testOffers = (): World => {
  let world: World | undefined;
  beforeAll(async () => {
    world = await offersOnMongo();
  });
  afterAll(() => world?.drop());
  return new Proxy({} as World, { get: (_none, key) => Reflect.get(world ?? {}, key) });
};
