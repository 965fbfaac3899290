import { setTimeout as delay } from 'node:timers/promises';
import { DURABLES, SERVICES, streamOf, WINDOWS } from '@cds/contracts';
import { ATTACHED_MS, BUS, type System } from '../system.js';
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

type Bus = Awaited<ReturnType<System['bus']>>;

/** It is over when each consumer of the stream is back and is pulled from. */
const lost = (hit: string, stream: string, remove: (bus: Bus) => Promise<unknown>): ReturnType<FaultKind['draw']> => ({
  target: BUS,
  inflict: async (system) => {
    const began = performance.now();
    await remove(await system.bus());
    return { hit, recovery: async () => ({ attached: [(await system.attached(stream)) - began] }) };
  },
});

/** A stream is deleted with all that was in it. */
export const lostStream: FaultKind = {
  limits: { attached: ATTACHED_MS },
  draw: (random) => {
    const stream = streamOf(random.pick(SERVICES));
    return lost(stream, stream, (bus) => bus.streams.delete(stream));
  },
};

/** The stream of windows is deleted, so nothing is admitted until the next one is there. */
export const lostWindows: FaultKind = {
  limits: { write: 5_000 },
  draw: () => ({
    target: BUS,
    inflict: async (system) => {
      const began = performance.now();
      const { streams } = await system.bus();
      const [name = ''] = await streams.names(WINDOWS.subjects[0]).next();
      await streams.delete(name);
      return { hit: name, recovery: async () => ({ write: [(await system.write()) - began] }) };
    },
  }),
};

/** A durable consumer is deleted. */
export const lostConsumer: FaultKind = {
  limits: { attached: ATTACHED_MS },
  draw: (random) => {
    const { stream, name } = random.pick(DURABLES);
    return lost(name, stream, (bus) => bus.consumers.delete(stream, name));
  },
};
