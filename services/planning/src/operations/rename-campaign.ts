import { asksOf, type Input, type Refusal } from '@cds/contracts';
import type { Ctx, MandateChecks, WriteHandler } from '@cds/service';
import { dayOf } from '@cds/service/calendar';
import { campaignChange } from '../changes/campaign-change.js';
import { writtenBy } from '../changes/written-by.js';
import { restartedBuild } from '../domain/builder/retry.js';
import { buildingAfter } from '../domain/campaign/brief.js';
import { campaignGate } from '../domain/campaign/campaign-writes.js';
import { displayName } from '../domain/campaign/names.js';
import { textRefusal } from '../domain/campaign/screening.js';
import { editGate } from '../domain/edits/edits.js';
import { withMoment } from '../domain/edits/set-moment.js';
import type { Campaign, Plan } from '../domain/plan.js';
import { campaignNamed } from '../load/named.js';
import { planChanged } from '../present/events.js';
import type { Campaigns } from '../store/campaigns.js';
import type { Plans } from '../store/plans.js';

type Deps = { campaigns: Campaigns; plans: Plans; checks: MandateChecks };

/**
 * Replaces a campaign's stored name, which lists then show; until the plan is signed also its moment, which deals the
 * lines to days again, and its launch post; at any time who replaces a creator who declines. Raises not_found, conflict
 * (plan_signed, archived, category_banned, category_review), mandate_refused. Source:
 * docs/specification.md#rename-a-campaign, docs/domain/plans.md#names, docs/domain/plans.md#edits.
 */
export const renameCampaign: WriteHandler<'rename_campaign', Deps> = async (ctx, input, deps) => {
  const { campaigns, checks } = deps;
  const campaign = await campaignNamed(campaigns, ctx, input.id);
  const plan = changesTerms(input) ? await deps.plans.byCampaign(campaign.ws, campaign._id) : null;
  const after = { ...campaign, ...fieldsOf(campaign, input) };
  const asked = asksOf(ctx.now);
  const refusal = refusalOf(ctx, campaign, after, plan);
  if (refusal !== null) throw checks.refused(ctx, 'rename_campaign', refusal, asked);

  const moved = plan === null ? null : withMoment({ plan, campaign: after }, { now: ctx.now, today: dayOf(ctx.now) });
  const newest = moved?.plan ?? plan;

  return campaignChange(
    {
      id: campaign._id,
      campaign: after.name,
      display_name: displayName(after),
      ...(input.moment === undefined ? {} : { moment: after.moment }),
      ...(input.launch_post_url === undefined ? {} : { launch_post_url: after.launch_post_url ?? null }),
      ...(input.replacements === undefined ? {} : { replacements: input.replacements }),
      ...(input.moment === undefined
        ? {}
        : {
            plan: newest && {
              id: newest._id,
              version: newest.version,
              terms_fingerprint: newest.terms_fingerprint,
              lines_moved: moved?.linesMoved ?? 0,
            },
          }),
    },
    {
      ctx,
      campaigns,
      before: campaign,
      set: fieldsOf(campaign, input),
      action: changesTerms(input) || input.replacements !== undefined ? 'campaign.change' : 'campaign.rename',
      details: sentOf(input),
      events: moved === null ? [] : [planChanged(moved.plan)],
      passed: async (tx) => {
        if (plan !== null && moved !== null)
          await deps.plans.replaceAwaiting(tx, plan, moved.plan, writtenBy(ctx, 'campaign.moment'));
        await checks.passed(tx, ctx, 'rename_campaign', asked);
      },
    },
  );
};

type Sent = Input<'rename_campaign'>;

const changesTerms = ({ moment, launch_post_url }: Sent): boolean =>
  moment !== undefined || launch_post_url !== undefined;

const sentOf = ({ name, moment, launch_post_url, replacements }: Sent) => ({
  ...(name === undefined ? {} : { name }),
  ...(moment === undefined ? {} : { moment }),
  ...(launch_post_url === undefined ? {} : { launch_post_url }),
  ...(replacements === undefined ? {} : { replacements }),
});

/** The fields that an input sets; a moment may also allow or forbid a plan that is still to be built. */
const fieldsOf = (campaign: Campaign, input: Sent): Partial<Campaign> => {
  const { name, moment, launch_post_url, replacements } = input;
  const set = {
    ...(name === undefined ? {} : { name, renamed_to: name }),
    ...(moment === undefined ? {} : { moment }),
    ...(launch_post_url === undefined ? {} : { launch_post_url }),
    ...(replacements === undefined ? {} : { replacements }),
    ...(campaign.brief === null ? {} : { brief: { ...campaign.brief, ...sentOf({ ...input, name: undefined }) } }),
  };
  if (moment === undefined || campaign.plan_id !== null) return set;
  const noPlan = buildingAfter(campaign, { ...campaign, moment });
  return { ...set, ...(noPlan === 'building' ? restartedBuild(campaign) : { no_plan: noPlan ?? campaign.no_plan }) };
};

const refusalOf = (ctx: Ctx, before: Campaign, after: Campaign, plan: Plan | null): Refusal | null => {
  const { mandate } = ctx.principal;
  const gate =
    plan === null
      ? campaignGate({ campaign: before, mandate, now: ctx.now })
      : editGate({ plan, campaign: before, mandate, now: ctx.now }, after.moment === before.moment ? 'lines' : 'dates');
  return gate ?? (plan === null || after.moment === before.moment ? null : textRefusal(before, after));
};
