import { setTimeout as delay } from 'node:timers/promises';
import { AWAY_MS, MONGOD } from '../system.js';
import type { FaultKind } from './fault.js';

/**
 * SIGSTOP of the database's primary. Writes have to be answered while it is still frozen. It is over when the member
 * was let go on and follows the new primary.
 */
export const frozenPrimary: FaultKind = {
  limits: { write: AWAY_MS },
  draw: (random) => {
    const forMs = random.between(4_000, 12_000);
    return {
      target: MONGOD,
      inflict: async (system) => {
        const primary = await system.set.primary();
        const began = performance.now();
        primary.pause();
        const recovery = async () => {
          try {
            const [written] = await Promise.all([system.write(), delay(forMs)]);
            return { write: [written - began] };
          } finally {
            primary.resume();
            await system.databaseIsWhole();
          }
        };
        return { hit: primary.name, recovery };
      },
    };
  },
};
