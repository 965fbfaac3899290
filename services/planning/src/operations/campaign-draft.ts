import { randomUUID } from 'node:crypto';
import { unprocessable } from '@cds/contracts';
import { actorOf, type Client, change, type WriteHandler } from '@cds/service';
import { dayOf } from '@cds/service/calendar';
import { briefProblems, fieldsOf, merged, missingOf } from '../domain/campaign/brief.js';
import { blankCampaign } from '../domain/campaign/campaign-input.js';
import type { Campaign } from '../domain/plan.js';
import { audienceOf } from '../load/audience.js';
import { todayOf } from '../load/today.js';
import { briefSaved } from '../present/brief.js';
import { campaignSummary } from '../present/campaign.js';
import { campaignChanged } from '../present/events.js';
import type { CampaignStarts } from '../store/campaign-starts.js';
import type { Campaigns } from '../store/campaigns.js';
import type { Contexts } from '../store/contexts.js';

type Deps = {
  campaigns: Campaigns;
  starts: CampaignStarts;
  contexts: Contexts;
  catalog: Client<'audience_resolve'>;
};

/** Raises unprocessable, rate_limited (daily_campaign_limit). Source: docs/domain/access.md#developers-area. */
export const campaignDraft: WriteHandler<'campaign_draft', Deps> = async (ctx, input, deps) => {
  const { workspace, workspace_name } = ctx.principal;
  const today = dayOf(ctx.now);
  const brief = merged({}, input);
  const problems = briefProblems(brief, brief, todayOf(ctx));
  if (problems.length > 0) throw unprocessable(problems);

  const context = await deps.contexts.inForce(workspace);
  const fields = fieldsOf(brief, context, { today, workspaceName: workspace_name, campaign: null });
  const [audience] = await Promise.all([audienceOf(ctx, deps.catalog, fields.audience), deps.starts.ensure(workspace)]);
  const origin = { id: randomUUID(), ws: workspace, workspaceName: workspace_name, now: ctx.now, ...audience };
  const campaign: Campaign = { ...blankCampaign(origin), ...fields };
  const row = campaignSummary({ campaign, plan: null, lines: new Map() });

  return change(briefSaved(row, brief, missingOf(brief, context)), {
    save: async (tx) => {
      const number = await deps.starts.book(tx, ctx);
      await deps.campaigns.insert(tx, { ...campaign, number });
    },
    events: [campaignChanged(campaign)],
    audit: [
      {
        ws: workspace,
        actor: actorOf(ctx),
        action: 'campaign.draft',
        object: campaign._id,
        payload: { name: campaign.name },
      },
    ],
  });
};
