import type { ReadHandler } from '@cds/service';
import { describedAudience } from '../domain/audience/audience-fit.js';
import { audienceFit } from '../present/audience-fit.js';
import type { NetworkMemory } from '../snapshot/memory.js';

/** The request's words alone, and the channel on sale alone. Source: docs/domain/mcp.md#guests. */
export const guestAudience: ReadHandler<'guest_audience', { memory: NetworkMemory }> = async (
  ctx,
  { product = null, audience = null, geography = null },
  { memory },
) => {
  const network = memory.at(ctx.networkNow);

  const described = describedAudience({ sent: { product, audience, geography }, campaign: null, onFile: null });

  return audienceFit(described, network, ctx.networkNow, []);
};
