import { DURABLES } from '@cds/contracts';
import { ATTACHED_MS, BUS } from '../system.js';
import type { FaultKind } from './fault.js';

/** A durable consumer is deleted. It is over when the consumer is back and is pulled from. */
export const lostConsumer: FaultKind = {
  limits: { attached: ATTACHED_MS },
  draw: (random) => {
    const { stream, name } = random.pick(DURABLES);
    return {
      target: BUS,
      inflict: async (system) => {
        const began = performance.now();
        await (await system.bus()).consumers.delete(stream, name);
        const recovery = async () => ({ attached: [(await system.attached(stream)) - began] });
        return { hit: name, recovery };
      },
    };
  },
};
