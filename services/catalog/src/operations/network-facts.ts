import type { ReadHandler } from '@cds/service';
import type { NetworkMemory } from '../snapshot/memory.js';

/**
 * Approved and bookable creators of the whole network, counted at most five minutes ago. Raises unavailable before the
 * first count. Source: docs/domain/network.md#coverage, docs/domain/access.md#brand-operations.
 */
export const networkFacts: ReadHandler<'network_facts', { memory: NetworkMemory }> = async (
  ctx,
  _input,
  { memory },
) => {
  const { approved, priced, asOf } = memory.counts(ctx.networkNow);
  return { approved, priced, as_of: asOf.toISOString() };
};
