import { refused } from '@cds/contracts';
import { actorOf, type WriteHandler } from '@cds/service';
import { campaignChange, unchanged } from '../changes/campaign-change.js';
import { changeRequestRefusal } from '../domain/campaign/campaign-writes.js';
import { campaignTask } from '../domain/tasks.js';
import { campaignNamed, summaryOf } from '../load/campaigns.js';
import type { ArchivingDeps } from './campaign-archive.js';

/** Edits and approval stay possible. Raises not_found, conflict. Source: docs/domain/plans.md#states. */
export const campaignChangeRequest: WriteHandler<'campaign_change_request', ArchivingDeps> = async (
  ctx,
  input,
  deps,
) => {
  const campaign = await campaignNamed(deps.campaigns, ctx, input.id);
  const { plan, row } = await summaryOf(deps, campaign);
  const refusal = changeRequestRefusal({ campaign, plan });
  if (refusal !== null) throw refused(refusal);

  const set = {
    open_change: true,
    change_answer: null,
    change_request: { message: input.message, asked_at: ctx.now, asked_by: actorOf(ctx) },
  };

  return campaignChange(row({ ...campaign, ...set }), {
    ctx,
    campaigns: deps.campaigns,
    before: campaign,
    set,
    action: 'campaign.change_request',
    details: { message: input.message },
    events: ctx.principal.sandbox ? [] : [campaignTask('change_requested', campaign, ctx.now)],
  });
};

/** Changes nothing when there is none. Raises not_found. Source: docs/domain/plans.md#states. */
export const campaignChangeWithdraw: WriteHandler<'campaign_change_withdraw', ArchivingDeps> = async (
  ctx,
  input,
  deps,
) => {
  const campaign = await campaignNamed(deps.campaigns, ctx, input.id);
  const { row } = await summaryOf(deps, campaign);
  if (!campaign.open_change) return unchanged(row(campaign));

  const set = { open_change: false, change_request: null };

  return campaignChange(row({ ...campaign, ...set }), {
    ctx,
    campaigns: deps.campaigns,
    before: campaign,
    set,
    action: 'campaign.change_withdraw',
    details: {},
    archive: 'either',
  });
};
