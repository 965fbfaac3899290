import { AppError, refused } from '@cds/contracts';
import type { WriteHandler } from '@cds/service';
import { dayOf } from '@cds/service/calendar';
import { campaignChange, unchanged } from '../changes/campaign-change.js';
import { briefOf, briefRefusal, fieldsOf, sendProblems } from '../domain/campaign/brief.js';
import { campaignTask } from '../domain/tasks.js';
import { campaignNamed } from '../load/named.js';
import { todayOf } from '../load/today.js';
import { campaignSummary } from '../present/campaign.js';
import type { Campaigns } from '../store/campaigns.js';
import type { Contexts } from '../store/contexts.js';

type Deps = { campaigns: Campaigns; contexts: Contexts };

/** Raises not_found, conflict (has_plan, archived), unprocessable. Source: docs/domain/access.md#developers-area. */
export const campaignSend: WriteHandler<'campaign_send', Deps> = async (ctx, input, { campaigns, contexts }) => {
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
