import type { Client, ReadHandler } from '@cds/service';
import { describedAudience, fitSummary } from '../domain/audience/audience-fit.js';
import { liveChannel, NEXT_CHANNELS } from '../domain/audience/coverage.js';
import { regionsOf } from '../domain/geography/regions.js';
import type { Audiences } from '../snapshot/audiences.js';
import type { NetworkMemory } from '../snapshot/memory.js';

/**
 * How well the network fits a described audience: segments, regions and the coverage of each channel. The request's
 * words win over the campaign's, and those over the company context's; the answer says which were read. Raises
 * not_found for a campaign of another workspace. Source: docs/specification.md#audiencefit,
 * docs/domain/network.md#audience-fit.
 */
export const resolveAudience: ReadHandler<
  'resolve_audience',
  { audiences: Pick<Audiences, 'of'>; memory: NetworkMemory; planning: Client<'campaign_texts'> }
> = async (ctx, input, { audiences, memory, planning }) => {
  const campaignId = input.intent_id ?? input.campaign_id;
  const [onFile, campaign] = await Promise.all([
    audiences.of(ctx.principal.workspace),
    campaignId === undefined ? null : planning.campaign_texts(ctx, { id: campaignId.toLowerCase() }),
  ]);
  const network = memory.at(ctx.networkNow);

  const described = describedAudience({
    sent: {
      product: input.product ?? null,
      audience: input.audience ?? null,
      geography: input.geography ?? null,
    },
    campaign,
    onFile: onFile.text,
  });
  const { segments, unresolved, from } = described;
  const channel = liveChannel(unresolved ? { verified: 0, bookable: 0, pricedUnits: 0 } : network.coverage(segments));

  return {
    version: 1,
    computed_at: ctx.networkNow.toISOString(),
    coverage_as_of: network.coverageAsOf,
    segments: segments.map(({ id, label }) => ({ id, label })),
    regions: regionsOf(described.geography, described.audience),
    unresolved,
    ...(from === null ? {} : { audience_from: from }),
    channels: [channel, ...NEXT_CHANNELS],
    thin: channel.level !== 'strong',
    summary: fitSummary(described, channel),
  };
};
