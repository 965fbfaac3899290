import { AWAY_MS, MONGOD } from '../system.js';
import type { FaultKind } from './fault.js';

/** replSetStepDown of the primary. It is over when writes are answered and one member leads all others. */
export const stepDown: FaultKind = {
  limits: { write: AWAY_MS },
  draw: () => ({
    target: MONGOD,
    inflict: async (system) => {
      const former = await system.set.primary();
      const began = performance.now();
      await system.set.stepDown();
      const recovery = async () => {
        const written = await system.write();
        await system.databaseIsWhole();
        return { write: [written - began] };
      };
      return { hit: former.name, recovery };
    },
  }),
};
