import type { Client, ReadHandler } from '@cds/service';
import { describedAudience } from '../domain/audience/audience-fit.js';
import { NEXT_CHANNELS } from '../domain/audience/coverage.js';
import { audienceFit } from '../present/audience-fit.js';
import type { Audiences } from '../snapshot/audiences.js';
import type { NetworkMemory } from '../snapshot/memory.js';

/**
 * The request's words, else the campaign's, else the context's (docs/specification.md#audiencefit). Raises not_found.
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

  return audienceFit(described, network, ctx.networkNow, NEXT_CHANNELS);
};
