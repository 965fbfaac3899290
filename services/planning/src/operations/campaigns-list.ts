import type { ReadHandler } from '@cds/service';
import { lineViews } from '../load/line-views.js';
import { campaignSummary } from '../present/campaign.js';
import type { Campaigns } from '../store/campaigns.js';
import type { LineFactsStore } from '../store/line-facts.js';
import type { Plans } from '../store/plans.js';

type Deps = { campaigns: Campaigns; plans: Plans; lineFacts: LineFactsStore };

const NONE = 'There is no campaign yet. Start one with create_campaign.';
const NONE_OPEN =
  'There is no campaign that is not archived. Start one with create_campaign, or send include_archived=true.';

/**
 * Every campaign of the workspace, newest first; archived ones when asked for. Source:
 * docs/specification.md#list-campaigns.
 */
export const campaignsList: ReadHandler<'campaigns_list', Deps> = async (
  ctx,
  input,
  { campaigns, plans, lineFacts },
) => {
  const ws = ctx.principal.workspace;
  const all = await campaigns.list(ws, { archived: input.include_archived === true });
  const found = await plans.byCampaigns(
    ws,
    all.map((campaign) => campaign._id),
  );
  const signed = found.filter((plan) => plan.status === 'approved').map((plan) => plan._id);
  const lines = lineViews(await lineFacts.byPlans(ws, signed));

  const planOf = new Map(found.map((plan) => [plan.campaign_id, plan]));
  return {
    campaigns: all.map((campaign) => campaignSummary({ campaign, plan: planOf.get(campaign._id) ?? null, lines })),
    ...(all.length > 0 ? {} : { note: input.include_archived === true ? NONE : NONE_OPEN }),
  };
};
