import type { Input, Refusal } from '@cds/contracts';
import { asksOf } from '@cds/rules';
import type { Ctx, MandateChecks, WriteHandler } from '@cds/service';
import { dayOf } from '@cds/service/calendar';
import { campaignChange } from '../changes/campaign-change.js';
import { writtenBy } from '../changes/plan-edit.js';
import { restartedBuild } from '../domain/builder/retry.js';
import { buildingAfter } from '../domain/campaign/brief.js';
import { campaignGate, displayName } from '../domain/campaign/campaign-writes.js';
import { textRefusal } from '../domain/campaign/screening.js';
import { editGate } from '../domain/edits/edits.js';
import { withMoment } from '../domain/edits/set-moment.js';
import type { Campaign, Plan } from '../domain/plan.js';
import { notesOf } from '../domain/quote/notes.js';
import { choicesUntil, isPaid, quotesToCome } from '../domain/quote/paid-notes.js';
import { campaignNamed } from '../load/campaigns.js';
import { lineViews } from '../load/line-views.js';
import type { LineViews } from '../present/campaign.js';
import { planChanged } from '../present/events.js';
import type { Campaigns } from '../store/campaigns.js';
import type { LineFactsStore } from '../store/line-facts.js';
import type { Plans } from '../store/plans.js';

type Deps = { campaigns: Campaigns; plans: Plans; lineFacts: LineFactsStore; checks: MandateChecks };

/**
 * Replaces a campaign's stored name, which lists then show; until the plan is signed also its moment, which deals the
 * lines to days again; until its last quote is live its launch post; at any time who replaces a creator who declines,
 * from the next search on. Raises not_found, conflict (plan_signed, archived, category_banned, category_review),
 * mandate_refused. Source: docs/specification.md#rename-a-campaign, docs/domain/plans.md#names,
 * docs/domain/plans.md#edits.
 */
export const renameCampaign: WriteHandler<'rename_campaign', Deps> = async (ctx, input, deps) => {
  const { campaigns, checks } = deps;
  const campaign = await campaignNamed(campaigns, ctx, input.id);
  const found = changesTerms(input) || input.replacements !== undefined ? await planOf(campaign, deps) : NO_PLAN;
  const plan = changesTerms(input) && !isLinkOpen(input, found) ? found.plan : null;
  const after = { ...campaign, ...fieldsOf(campaign, input) };
  const asked = asksOf(ctx.now);
  const refusal = refusalOf(ctx, campaign, after, plan);
  if (refusal !== null) throw checks.refused(ctx, 'rename_campaign', refusal, asked);

  const note = choiceNote(campaign, input, found);
  const moved =
    plan === null || input.moment === undefined
      ? null
      : withMoment({ plan, campaign: after }, { now: ctx.now, today: dayOf(ctx.now) });
  const newest = moved?.plan ?? plan;

  return campaignChange(
    {
      id: campaign._id,
      campaign: after.name,
      display_name: displayName(after),
      ...(input.moment === undefined ? {} : { moment: after.moment }),
      ...(input.launch_post_url === undefined ? {} : { launch_post_url: after.launch_post_url ?? null }),
      ...(input.replacements === undefined ? {} : { replacements: input.replacements }),
      ...(note === null ? {} : { note }),
      ...(input.moment === undefined
        ? {}
        : {
            plan: newest && {
              id: newest._id,
              version: newest.version,
              terms_fingerprint: newest.terms_fingerprint,
              lines_moved: moved?.linesMoved ?? 0,
            },
            notes: notesOf({ campaign: after, plan: newest, shared: [], now: ctx.now }),
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

type Found = { plan: Plan | null; lines: LineViews };

const NO_PLAN: Found = { plan: null, lines: new Map() };

const planOf = async (
  { ws, _id }: Campaign,
  { plans, lineFacts }: Pick<Deps, 'plans' | 'lineFacts'>,
): Promise<Found> => {
  const plan = await plans.byCampaign(ws, _id);
  return { plan, lines: lineViews(plan?.status === 'approved' ? await lineFacts.byPlans(ws, [plan._id]) : new Map()) };
};

/** A signed plan with quotes to come takes a launch post only. */
const isLinkOpen = ({ moment }: Sent, { plan, lines }: Found): boolean =>
  moment === undefined && plan?.status === 'approved' && quotesToCome(plan, lines) > 0;

const choiceNote = (before: Campaign, { replacements }: Sent, { plan, lines }: Found): string | null => {
  if (before.replacements !== 'ask' || replacements !== 'auto' || plan === null || !isPaid(plan)) return null;
  const [first, ...more] = choicesUntil([...lines.values()]);
  if (first === undefined) return null;
  const posts = more.length === 0 ? '1 post keeps' : `${more.length + 1} posts keep`;
  return `${posts} the time to choose that runs already, the first until ${first}. Choose over the REST API, or the search takes the first candidate then. Later searches do not ask.`;
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

/** A moment may also allow or forbid a plan that is still to be built. */
const fieldsOf = (campaign: Campaign, input: Sent): Partial<Campaign> => {
  const { name, moment, launch_post_url, replacements } = input;
  const set = {
    ...(name === undefined ? {} : { name, renamed_to: name }),
    ...(moment === undefined ? {} : { moment }),
    ...(launch_post_url === undefined ? {} : { launch_post_url }),
    ...(replacements === undefined ? {} : { replacements }),
    ...(campaign.brief === null ? {} : { brief: briefOf(campaign.brief, input) }),
  };
  if (moment === undefined || campaign.plan_id !== null) return set;
  const noPlan = buildingAfter(campaign, { ...campaign, moment });
  return { ...set, ...(noPlan === 'building' ? restartedBuild(campaign) : { no_plan: noPlan ?? campaign.no_plan }) };
};

const briefOf = (
  { launch_post_url: former, ...brief }: NonNullable<Campaign['brief']>,
  { moment, replacements, launch_post_url = former ?? null }: Sent,
): Campaign['brief'] => ({
  ...brief,
  ...(moment === undefined ? {} : { moment }),
  ...(replacements === undefined ? {} : { replacements }),
  ...(launch_post_url === null ? {} : { launch_post_url }),
});

const refusalOf = (ctx: Ctx, before: Campaign, after: Campaign, plan: Plan | null): Refusal | null => {
  const { mandate } = ctx.principal;
  const gate =
    plan === null
      ? campaignGate({ campaign: before, mandate, now: ctx.now })
      : editGate({ plan, campaign: before, mandate, now: ctx.now }, after.moment === before.moment ? 'lines' : 'dates');
  return gate ?? (plan === null || after.moment === before.moment ? null : textRefusal(before, after));
};
