import { asksOf } from '@cds/rules';
import type { MandateChecks, WriteHandler } from '@cds/service';
import { campaignChange } from '../changes/campaign-change.js';
import { campaignGate, guidelinesFrom } from '../domain/campaign/campaign-writes.js';
import { campaignNamed } from '../load/named.js';
import type { Campaigns } from '../store/campaigns.js';

/** Raises not_found, conflict (archived), mandate_refused. Source: docs/specification.md#set-creator-guidelines. */
export const setCreatorGuidelines: WriteHandler<
  'set_creator_guidelines',
  { campaigns: Campaigns; checks: MandateChecks }
> = async (ctx, input, { campaigns, checks }) => {
  const campaign = await campaignNamed(campaigns, ctx, input.id);
  const gate = campaignGate({ campaign, mandate: ctx.principal.mandate, now: ctx.now });
  const asked = asksOf(ctx.now);
  if (gate !== null) throw checks.refused(ctx, 'set_creator_guidelines', gate, asked);

  const guidelines = guidelinesFrom(input);

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
