import { refused, unprocessable } from '@cds/contracts';
import type { Begin, Client, WriteHandler } from '@cds/service';
import { dayOf } from '@cds/service/calendar';
import { campaignChange } from '../changes/campaign-change.js';
import { restartedBuild } from '../domain/builder/retry.js';
import {
  briefOf,
  briefProblems,
  briefRefusal,
  buildingAfter,
  fieldsOf,
  merged,
  missingOf,
} from '../domain/campaign/brief.js';
import { audienceOf } from '../load/audience.js';
import { campaignNamed } from '../load/named.js';
import { todayOf } from '../load/today.js';
import { briefSaved } from '../present/brief.js';
import { campaignSummary } from '../present/campaign.js';
import type { Campaigns } from '../store/campaigns.js';
import type { Contexts } from '../store/contexts.js';

type Deps = {
  campaigns: Campaigns;
  contexts: Contexts;
  catalog: Client<'audience_resolve'>;
  beginBuilding: Begin;
};

/** A field left out stays. Raises not_found, conflict, unprocessable. Source: docs/domain/access.md#developers-area. */
export const campaignBriefSet: WriteHandler<'campaign_brief_set', Deps> = async (ctx, input, deps) => {
  const { id, ...sent } = input;
  const campaign = await campaignNamed(deps.campaigns, ctx, id);
  const refusal = briefRefusal(campaign);
  if (refusal !== null) throw refused(refusal);

  const today = dayOf(ctx.now);
  const brief = merged(briefOf(campaign), sent);
  const problems = briefProblems(brief, sent, todayOf(ctx));
  if (problems.length > 0) throw unprocessable(problems);

  const context = await deps.contexts.inForce(campaign.ws);
  const fields = fieldsOf(brief, context, {
    today,
    workspaceName: ctx.principal.workspace_name,
    campaign,
  });
  const audience =
    fields.audience === campaign.audience
      ? { segments: campaign.segments, unresolved: campaign.unresolved }
      : await audienceOf(ctx, deps.catalog, fields.audience);
  const noPlan = buildingAfter(campaign, fields);
  const set = { ...fields, ...audience, ...(noPlan === 'building' ? restartedBuild(campaign) : { no_plan: noPlan }) };
  const row = campaignSummary({ campaign: { ...campaign, ...set }, plan: null, lines: new Map() });

  return campaignChange(briefSaved(row, brief, missingOf(brief, context)), {
    ctx,
    campaigns: deps.campaigns,
    before: campaign,
    set,
    action: 'campaign.brief',
    details: { fields: Object.keys(sent) },
    ...(noPlan === 'building' ? { committed: () => deps.beginBuilding(campaign.ws) } : {}),
  });
};
