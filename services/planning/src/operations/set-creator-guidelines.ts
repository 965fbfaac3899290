import { asksOf } from '@cds/rules';
import type { MandateChecks, WriteHandler } from '@cds/service';
import { campaignChange } from '../changes/campaign-change.js';
import { campaignGate, guidelinesFrom } from '../domain/campaign/campaign-writes.js';
import { guidelinesRefusal } from '../domain/campaign/screening.js';
import { campaignNamed } from '../load/campaigns.js';
import type { Campaigns } from '../store/campaigns.js';

/**
 * Raises not_found, conflict (archived, category_banned, category_review), mandate_refused. Source:
 * docs/specification.md#set-creator-guidelines, docs/domain/plans.md#creator-guidelines.
 */
export const setCreatorGuidelines: WriteHandler<
  'set_creator_guidelines',
  { campaigns: Campaigns; checks: MandateChecks }
> = async (ctx, input, { campaigns, checks }) => {
  const campaign = await campaignNamed(campaigns, ctx, input.id);
  const asked = asksOf(ctx.now);
  const guidelines = guidelinesFrom(input);
  const refusal =
    campaignGate({ campaign, mandate: ctx.principal.mandate, now: ctx.now }) ?? guidelinesRefusal(campaign, guidelines);
  if (refusal !== null) throw checks.refused(ctx, 'set_creator_guidelines', refusal, asked);

  return campaignChange(
    { campaign_id: campaign._id, creator_guidelines: guidelines },
    {
      ctx,
      campaigns,
      before: campaign,
      set: { guidelines },
      action: 'campaign.guidelines',
      details: { guidelines },
      passed: (tx) => checks.passed(tx, ctx, 'set_creator_guidelines', asked),
    },
  );
};
