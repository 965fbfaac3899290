import { setTimeout as delay } from 'node:timers/promises';
import { AWAY_MS, MONGOD } from '../system.js';
import type { FaultKind } from './fault.js';

/**
 * A one-way partition of the database's primary: it reaches the others, and neither they nor the services reach it.
 * It is over when the link has healed and all members follow one that leads.
 */
export const cutPrimary: FaultKind = {
  limits: { write: AWAY_MS },
  draw: (random) => {
    const forMs = random.between(4_000, 12_000);
    return {
      target: MONGOD,
      inflict: async (system) => {
        const { link, name } = await system.set.primary();
        if (link === undefined) throw new Error('the members of this replica set have no links to cut');
        const began = performance.now();
        await link.cut();
        const recovery = async () => {
          try {
            const [written] = await Promise.all([system.write(), delay(forMs)]);
            return { write: [written - began] };
          } finally {
            await link.heal();
            await system.databaseIsWhole();
          }
        };
        return { hit: name, recovery };
      },
    };
  },
};
