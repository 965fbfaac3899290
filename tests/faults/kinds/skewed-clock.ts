import { SERVICES } from '@cds/contracts';
import { moveClock } from '../../support/clocks.js';
import { AWAY_MS } from '../system.js';
import type { FaultKind } from './fault.js';

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
