import type { ReadHandler } from '@cds/service';
import type { NetworkMemory } from '../snapshot/memory.js';

/** Counted at most five minutes ago. Raises unavailable before the first count. */
export const networkFacts: ReadHandler<'network_facts', { memory: NetworkMemory }> = async (
  ctx,
  _input,
  { memory },
) => {
  const { approved, priced, asOf } = memory.counts(ctx.networkNow);
  return { approved, priced, as_of: asOf.toISOString() };
};
