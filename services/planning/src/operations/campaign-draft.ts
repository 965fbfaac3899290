import { randomUUID } from 'node:crypto';
import { AppError, type BriefSaved, type CampaignSummary, refused, unprocessable } from '@cds/contracts';
import { actorOf, type Begin, type Client, change, type WriteHandler } from '@cds/service';
import { dayOf } from '@cds/service/calendar';
import { campaignChange, unchanged } from '../changes/campaign-change.js';
import { restartedBuild } from '../domain/builder/retry.js';
import {
  briefOf,
  briefProblems,
  briefRefusal,
  buildingAfter,
  fieldsOf,
  merged,
  missingOf,
  sendProblems,
} from '../domain/campaign/brief.js';
import { blankCampaign } from '../domain/campaign/campaign-input.js';
import type { Brief, Campaign } from '../domain/plan.js';
import { campaignTask } from '../domain/tasks.js';
import { audienceOf, campaignNamed, todayOf } from '../load/campaigns.js';
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

type BriefDeps = {
  campaigns: Campaigns;
  contexts: Contexts;
  catalog: Client<'audience_resolve'>;
  beginBuilding: Begin;
};

/** A field left out stays. Raises not_found, conflict, unprocessable. Source: docs/domain/access.md#developers-area. */
export const campaignBriefSet: WriteHandler<'campaign_brief_set', BriefDeps> = async (ctx, input, deps) => {
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

type SendDeps = { campaigns: Campaigns; contexts: Contexts };

/** Raises not_found, conflict (has_plan, archived), unprocessable. Source: docs/domain/access.md#developers-area. */
export const campaignSend: WriteHandler<'campaign_send', SendDeps> = async (ctx, input, { campaigns, contexts }) => {
  const campaign = await campaignNamed(campaigns, ctx, input.id);
  const refusal = briefRefusal(campaign);
  if (refusal !== null) throw refused(refusal);
  const rowOf = (as: typeof campaign) => campaignSummary({ campaign: as, plan: null, lines: new Map() });
  if (campaign.sent_to_team_at !== null) return unchanged(rowOf(campaign));

  const today = dayOf(ctx.now);
  const context = await contexts.inForce(campaign.ws);
  const brief = briefOf(campaign);
  const problems = sendProblems(brief, context, todayOf(ctx));
  if (problems.length > 0)
    throw new AppError('unprocessable', 'The brief cannot be sent yet. See details.problems.', { problems });

  const fields = fieldsOf(brief, context, {
    today,
    workspaceName: ctx.principal.workspace_name,
    campaign,
  });
  const set = { ...fields, sent_to_team_at: ctx.now, no_plan: null, build: null };

  return campaignChange(rowOf({ ...campaign, ...set }), {
    ctx,
    campaigns,
    before: campaign,
    set,
    action: 'campaign.send',
    details: {},
    events: ctx.principal.sandbox ? [] : [campaignTask('campaign_sent', campaign, ctx.now)],
  });
};

export const briefSaved = (campaign: CampaignSummary, brief: Brief, missing: string[]): BriefSaved => ({
  campaign,
  brief: Object.fromEntries(Object.entries(brief).filter(([, value]) => value !== undefined)),
  missing,
});
