import type { ReadHandler } from '@cds/service';
import { progressOfPlan } from '../load/line-views.js';
import { summaryOfStage } from '../present/campaign.js';
import type { Campaigns } from '../store/campaigns.js';
import type { LineFactsStore } from '../store/line-facts.js';
import type { Plans } from '../store/plans.js';

type Deps = { campaigns: Campaigns; plans: Plans; lineFacts: LineFactsStore };

const NONE = 'No campaigns yet. Create one.';
const ALL_ARCHIVED = 'Every campaign is archived. Pass include_archived, or create one.';

/** Newest first; archived ones only when asked for. Source: docs/specification.md#list-campaigns. */
export const campaignsList: ReadHandler<'campaigns_list', Deps> = async (ctx, input, deps) => {
  const ws = ctx.principal.workspace;
  // Archived ones are read in the same statement: an empty list says whether there are any.
  const every = await deps.campaigns.list(ws, { archived: true });
  const all = input.include_archived === true ? every : every.filter(({ archived_at }) => archived_at === null);
  const found = await deps.plans.stagedOf(
    ws,
    all.map((campaign) => campaign._id),
  );
  const signed = found.filter((plan) => plan.status === 'approved').map((plan) => plan._id);
  const progress = await deps.lineFacts.progressOf(ws, signed);

  const planOf = new Map(found.map((plan) => [plan.campaign_id, plan]));
  return {
    campaigns: all.map((campaign) => {
      const plan = planOf.get(campaign._id) ?? null;
      const lines = plan === null ? [] : progressOfPlan(plan.line_count, progress.get(plan._id));
      return summaryOfStage({ campaign, plan, progress: lines });
    }),
    ...(all.length > 0 ? {} : { note: every.length > 0 ? ALL_ARCHIVED : NONE }),
  };
};
