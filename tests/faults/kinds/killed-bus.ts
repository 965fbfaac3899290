import { setTimeout as delay } from 'node:timers/promises';
import { BUS } from '../system.js';
import type { FaultKind } from './fault.js';

/**
 * kill -9 of a nats-server. It is over when it runs again, a write is answered and every consumer is pulled from: what
 * JetStream acknowledged has survived.
 */
export const killedBus: FaultKind = {
  draw: (random) => {
    const share = random.next();
    const afterMs = random.between(0, 3_000);
    return {
      target: BUS,
      inflict: async (system) => {
        const { bus } = system.stack;
        const server = bus[Math.floor(share * bus.length)];
        if (server === undefined) throw new Error('the bus has no server');
        await server.kill();
        const recovery = async () => {
          await delay(afterMs);
          await server.restart();
          const back = performance.now();
          const written = await system.write();
          await system.allReady();
          return { write: [written - back] };
        };
        return { hit: server.name, recovery };
      },
    };
  },
};
