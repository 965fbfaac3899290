import { setTimeout as delay } from 'node:timers/promises';
import { SERVICES } from '@cds/contracts';
import { moveClock } from '../../support/clocks.js';
import { AWAY_MS, PROCESSES, until } from '../system.js';
import type { FaultKind } from './fault.js';

/**
 * kill -9 of a process. It is over when the process that was started in its place is ready. One that starts while the
 * database has no primary may end by itself; it is started again, as any supervisor does.
 */
export const kill: FaultKind = {
  draw: (random) => {
    const target = random.pick(PROCESSES);
    const share = random.next();
    const afterMs = random.between(0, 300);
    return {
      target,
      inflict: async ({ stack }) => {
        const replica = Math.floor(share * (stack.services[target]?.length ?? 1));
        await stack.kill(target, replica);
        const recovery = async () => {
          await delay(afterMs);
          await until(`${target} is ready again`, () => stack.restartService(target, replica).then(() => true));
          return {};
        };
        return { hit: target, recovery };
      },
    };
  },
};

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

const MINUTE_MS = 60_000;

/** The clock of a process is minutes off, ahead or behind. It is over when the clock is right again. */
export const skewedClock: FaultKind = {
  draw: (random) => {
    const target = random.pick(SERVICES);
    const share = random.next();
    const offsetMs = Math.floor(random.between(1, 30) * MINUTE_MS) * (random.next() < 0.5 ? -1 : 1);
    const forMs = random.between(9_000, 15_000);
    return {
      target,
      inflict: async (system) => {
        const replicas = system.stack.services[target] ?? [];
        const pid = replicas[Math.floor(share * replicas.length)]?.pid;
        if (pid === undefined) throw new Error(`${target} does not run`);
        moveClock(system.stack, pid, offsetMs);
        const recovery = async () => {
          const writes: number[] = [];
          try {
            for (const end = performance.now() + forMs; performance.now() < end; ) {
              const began = performance.now();
              writes.push((await system.write()) - began);
            }
          } finally {
            moveClock(system.stack, pid, 0);
          }
          return { write: writes };
        };
        return { hit: `${target} ${offsetMs < 0 ? 'behind' : 'ahead'}`, recovery };
      },
    };
  },
  // It has no effect at all; a system that believed the clock would answer nothing before the clock is right again.
  limits: { write: AWAY_MS },
};
