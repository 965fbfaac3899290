import { notFound } from '@cds/contracts';
import type { ReadHandler } from '@cds/service';
import type { Campaigns } from '../store/campaigns.js';

/**
 * Product, audience and geography of a campaign of the asking workspace, as it was started; raises not_found, alike for
 * absent and foreign ids. Source: domain 1-network 8, AudienceFit.
 */
export const campaignTexts: ReadHandler<'campaign_texts', { campaigns: Campaigns }> = async (
  ctx,
  input,
  { campaigns },
) => {
  const campaign = await campaigns.byId(ctx.principal.workspace, input.id);
  if (campaign === null) throw notFound('campaign');

  const { product, audience, geography } = campaign;
  return { product, audience, geography };
};
