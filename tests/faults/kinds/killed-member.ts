import { setTimeout as delay } from 'node:timers/promises';
import { AWAY_MS, MONGOD } from '../system.js';
import type { FaultKind } from './fault.js';

/** kill -9 of a mongod, the primary or not. It is over when it runs again and all members follow one that leads. */
export const killedMember: FaultKind = {
  limits: { write: AWAY_MS },
  draw: (random) => {
    const share = random.next();
    const afterMs = random.between(0, 3_000);
    return {
      target: MONGOD,
      inflict: async (system) => {
        const { members } = system.set;
        const member = members[Math.floor(share * members.length)];
        if (member === undefined) throw new Error('the replica set has no member');
        const began = performance.now();
        await member.kill();
        const recovery = async () => {
          try {
            const [written] = await Promise.all([system.write(), delay(afterMs)]);
            return { write: [written - began] };
          } finally {
            await member.restart();
            await system.databaseIsWhole();
          }
        };
        return { hit: member.name, recovery };
      },
    };
  },
};
