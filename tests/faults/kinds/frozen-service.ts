import { setTimeout as delay } from 'node:timers/promises';
import { PROCESSES } from '../system.js';
import type { FaultKind } from './fault.js';

/** One in five outlasts the deadline of a write and every lease, so that somebody else finishes its work meanwhile. */
const LONG = 0.2;

/** SIGSTOP of a process. It is over when the process was let go on and is ready. */
export const frozenService: FaultKind = {
  draw: (random) => {
    const target = random.pick(PROCESSES);
    const share = random.next();
    const forMs = random.next() < LONG ? random.between(26_000, 32_000) : random.between(1_000, 10_000);
    return {
      target,
      inflict: async ({ stack }) => {
        const replicas = stack.services[target] ?? [];
        const frozen = replicas[Math.floor(share * replicas.length)];
        frozen?.pause();
        const recovery = async () => {
          await delay(forMs).finally(() => frozen?.resume());
          await frozen?.whenReady();
          return {};
        };
        return { hit: target, recovery };
      },
    };
  },
};
