import type { ReadHandler } from '@cds/service';
import { liveChannel, NEXT_CHANNELS } from '../domain/audience/coverage.js';
import type { Audiences } from '../snapshot/audiences.js';
import type { NetworkMemory } from '../snapshot/memory.js';

/**
 * The whole network if there is no audience on file or it does not resolve. Source: docs/specification.md#inventory.
 */
export const inventory: ReadHandler<'inventory', { audiences: Pick<Audiences, 'of'>; memory: NetworkMemory }> = async (
  ctx,
  _input,
  { audiences, memory },
) => {
  const onFile = await audiences.of(ctx.principal.workspace);
  const network = memory.at(ctx.networkNow);

  const audience = onFile.segments.length > 0 ? onFile.segments : null;
  const coverage = network.coverage(audience);

  return {
    segments: onFile.segments.map(({ id, label }) => ({ id, label })),
    unresolved: onFile.unresolved,
    coverage_as_of: network.coverageAsOf,
    channels: [liveChannel(coverage), ...NEXT_CHANNELS],
  };
};
