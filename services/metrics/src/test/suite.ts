import { afterAll, beforeAll } from '@jest/globals';
import { postsOnMongo } from './posts-on-mongo.js';

type World = Awaited<ReturnType<typeof postsOnMongo>>;

/** A world for the tests of a suite: made before the first, dropped after the last. */
export const testPosts = (): World => {
  let world: World | undefined;
  beforeAll(async () => {
    world = await postsOnMongo();
  });
  afterAll(() => world?.drop());
  return new Proxy({} as World, { get: (_none, key) => Reflect.get(world ?? {}, key) });
};
