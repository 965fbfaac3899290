import { refused } from '@cds/contracts';
import { actorOf, type WriteHandler } from '@cds/service';
import type { ArchivingDeps } from '../changes/archiving.js';
import { campaignChange } from '../changes/campaign-change.js';
import { changeRequestRefusal } from '../domain/campaign/campaign-writes.js';
import { campaignTask } from '../domain/tasks.js';
import { summaryOf } from '../load/campaign-summary.js';
import { campaignNamed } from '../load/named.js';

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
