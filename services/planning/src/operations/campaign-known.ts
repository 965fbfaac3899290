import { notFound } from '@cds/contracts';
import type { ReadHandler } from '@cds/service';
import type { Campaigns } from '../store/campaigns.js';

/** Tells other services that the asking workspace has this campaign; raises not_found, alike for absent and foreign ids. */
export const campaignKnown: ReadHandler<'campaign_known', { campaigns: Campaigns }> = async (
  ctx,
  input,
  { campaigns },
) => {
  const campaign = await campaigns.byId(ctx.principal.workspace, input.id);
  if (campaign === null) throw notFound('campaign');

  return { campaign_id: campaign._id };
};
