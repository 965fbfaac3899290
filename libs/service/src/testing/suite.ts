import { afterAll, beforeAll } from '@jest/globals';
import { Audit } from '../audit/audit.js';
import { Frames } from '../bus/frames.js';
import { Commands } from '../commands/commands.js';
import { Outbox } from '../outbox/outbox.js';
import type { Store } from '../store/store.js';
import { type TestStore, testStore } from './store.js';

/** A store for the tests of a suite, with what `make` puts into it before it is migrated. */
export const storeSuite = <T extends object>(
  name: string,
  make: (store: Store) => T = () => ({}) as T,
): T & { store: Store } => {
  const made = {} as T & { store: Store };
  let drop: TestStore['drop'] | undefined;
  beforeAll(async () => {
    const opened = await testStore(name);
    drop = opened.drop;
    Object.assign(made, { store: opened.store }, make(opened.store));
    await opened.store.migrate();
  });
  afterAll(() => drop?.());
  return made;
};

/** What a service's writes go through. */
export const aShell = (store: Store) => ({
  store,
  commands: new Commands(store),
  frames: new Frames(store),
  outbox: new Outbox(store),
  audit: new Audit(store),
});

/** What a suite makes before its first test and drops after its last, as if it were there already. */
export const suiteWide = <T extends object>(make: () => Promise<T>, drop: (made: T) => Promise<unknown>): T => {
  let made: T | undefined;
  beforeAll(async () => {
    made = await make();
  });
  afterAll(async () => made && drop(made));
  return madeLater(() => made);
};

export const madeLater = <T extends object>(get: () => T | undefined): T =>
  new Proxy({} as T, {
    get: (_none, key) => Reflect.get(get() ?? {}, key),
    set: (_none, key, value) => Reflect.set(get() ?? {}, key, value),
  });

export { until } from './until.js';
