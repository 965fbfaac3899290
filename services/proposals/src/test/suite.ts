import { afterAll, beforeAll } from '@jest/globals';
import { type OffersWorld, offersOnMongo } from './offers-on-mongo.js';

/** A world for the tests of a suite: made before the first, dropped after the last. */
export const testOffers = (): OffersWorld => {
  let world: OffersWorld | undefined;
  beforeAll(async () => {
    world = await offersOnMongo();
  });
  afterAll(() => world?.drop());
  return new Proxy({} as OffersWorld, { get: (_none, key) => Reflect.get(world ?? {}, key) });
};
