import { conflict } from '@cds/contracts';
import type { WriteHandler } from '@cds/service';
import { campaignChange } from '../changes/campaign-change.js';
import { campaignOfAnyone, type OpsCampaignDeps, shownCampaigns } from '../load/ops-campaigns.js';

/** Raises not_found, conflict (bad_state). Source: docs/domain/plans.md#states, docs/domain/operators.md#operators. */
export const opsCampaignAnswer: WriteHandler<'ops_campaign_answer', OpsCampaignDeps> = async (ctx, input, deps) => {
  const { campaign } = await campaignOfAnyone(input.id, deps);
  if (!campaign.open_change) throw conflict('bad_state', 'This campaign has no open change request.');

  const set = {
    open_change: false,
    change_request: null,
    change_answer: { text: input.text, answered_at: ctx.now },
  };
  const [shown] = await shownCampaigns([{ ...campaign, ...set }], deps);
  if (shown === undefined) throw new Error('a campaign was not shown');

  return campaignChange(shown, {
    ctx,
    campaigns: deps.campaigns,
    before: campaign,
    set,
    action: 'campaign.change_answer',
    details: { text: input.text },
    reason: input.reason,
    archive: 'either',
  });
};
