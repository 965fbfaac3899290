import { SERVICES, streamOf } from '@cds/contracts';
import { ATTACHED_MS, BUS } from '../system.js';
import type { FaultKind } from './fault.js';

/** A stream is deleted with all that was in it. It is over when its consumers are back and each is pulled from. */
export const lostStream: FaultKind = {
  limits: { attached: ATTACHED_MS },
  draw: (random) => {
    const stream = streamOf(random.pick(SERVICES));
    return {
      target: BUS,
      inflict: async (system) => {
        const began = performance.now();
        await (await system.bus()).streams.delete(stream);
        const recovery = async () => ({ attached: [(await system.attached(stream)) - began] });
        return { hit: stream, recovery };
      },
    };
  },
};
