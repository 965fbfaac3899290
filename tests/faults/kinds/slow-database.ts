import { setTimeout as delay } from 'node:timers/promises';
import { MONGOD } from '../system.js';
import type { FaultKind } from './fault.js';

/** The share of each period in which the primary is frozen, as on an overwhelmed disk. */
const STILL_MS = 150;
const RUNNING_MS = 50;

/** A primary that works a quarter of the time, too often to be abandoned. It is over when it works as usual. */
export const slowDatabase: FaultKind = {
  draw: (random) => {
    const forMs = random.between(5_000, 15_000);
    return {
      target: MONGOD,
      inflict: async (system) => {
        const primary = await system.set.primary();
        const recovery = async () => {
          const writing = system.write();
          try {
            for (const end = performance.now() + forMs; performance.now() < end; await delay(RUNNING_MS)) {
              primary.pause();
              await delay(STILL_MS);
              primary.resume();
            }
          } finally {
            primary.resume();
          }
          await writing;
          await system.databaseIsWhole();
          return {};
        };
        return { hit: primary.name, recovery };
      },
    };
  },
};
