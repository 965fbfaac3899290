import type { ReadHandler } from '@cds/service';
import { liveChannel } from '../domain/audience/coverage.js';
import type { NetworkMemory } from '../snapshot/memory.js';

/** The channel on sale alone, with the network's counts. Source: docs/domain/mcp.md#guests. */
export const guestInventory: ReadHandler<'guest_inventory', { memory: NetworkMemory }> = async (
  ctx,
  _input,
  { memory },
) => {
  const network = memory.at(ctx.networkNow);
  const { approved, priced } = memory.counts(ctx.networkNow);

  return {
    segments: [],
    unresolved: false,
    coverage_as_of: network.coverageAsOf,
    channels: [liveChannel(network.coverage(null))],
    catalog: { approved, priced },
  };
};
