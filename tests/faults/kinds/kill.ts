import { setTimeout as delay } from 'node:timers/promises';
import { PROCESSES, until } from '../system.js';
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
