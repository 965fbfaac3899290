import { CampaignInput, inOrderOf, type NoPlanReason, type Problem, problemsOf, type Refusal } from '@cds/contracts';
import { addDays } from '@cds/service/calendar';
import { archivedRefusal } from '../approval/approval.js';
import { CURRENT_WINDOW } from '../constants.js';
import { earlierOf } from '../days.js';
import type { Brief, Campaign } from '../plan.js';
import { conflictRefusal } from '../refusals.js';
import { type Today, windowProblems } from '../schedule/window.js';
import { EVERYWHERE, inputProblems, USUAL_OUTCOMES } from './campaign-input.js';
import { storedName } from './campaign-writes.js';
import type { ContextInForce } from './context.js';
import { rescreened } from './screening.js';
import { ANYONE, askedBy, selectionOf } from './selection.js';

/**
 * A person's brief: any fields of CampaignInput in any order, until there is a plan
 * (docs/domain/access.md#developers-area).
 */

/** What a person wrote, else what a key sent. */
export const briefOf = (campaign: Campaign): Brief =>
  campaign.brief ??
  merged(
    {},
    {
      goal: campaign.goal ?? undefined,
      product: campaign.product ?? undefined,
      moment: campaign.moment ?? undefined,
      window_start: campaign.window_start,
      window_end: campaign.window_end,
      budget_usd: campaign.budget_cents === null ? undefined : campaign.budget_cents / 100,
      audience: campaign.audience ?? undefined,
      geography: campaign.geography,
      company: campaign.company ?? undefined,
      desired_outcome: campaign.desired_outcome ?? undefined,
      category: campaign.category ?? undefined,
      ...askedBy(campaign.selection ?? ANYONE),
      launch_post_url: campaign.launch_post_url ?? undefined,
      replacements: campaign.replacements,
    },
  );

export const merged = (brief: Brief, sent: Brief): Brief => ({
  ...brief,
  ...Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== undefined)),
});

/** A start that was written earlier may lie in the past. */
export const briefProblems = (brief: Brief, sent: Brief, today: Today): Problem[] => {
  if (sent.window_start === undefined && sent.window_end === undefined) return [];
  const day = sent.window_start === undefined ? (brief.window_start ?? today.day) : today.day;
  return windowProblems(brief, { ...today, day });
};

const REQUIRED = ['goal', 'product', 'moment', 'window_start', 'window_end', 'budget_usd'] as const;

/** The audience is missing only if the company context has none. */
export const missingOf = (brief: Brief, context: Pick<ContextInForce, 'audience'>): string[] => [
  ...REQUIRED.filter((field) => brief[field] === undefined),
  ...(brief.audience === undefined && context.audience === null ? ['audience'] : []),
];

/** As POST /campaigns would report it: all at once, missing fields first. */
export const sendProblems = (brief: Brief, context: ContextInForce, today: Today): Problem[] => {
  const { error } = CampaignInput.safeParse(brief);
  const values = error === undefined ? [] : problemsOf(error, brief, 'body').values;
  return inOrderOf(Object.keys(CampaignInput.shape), brief, [...values, ...inputProblems(brief, context, today)]);
};

/** has_plan, then archived. */
export const briefRefusal = (campaign: Campaign): Refusal | null =>
  (campaign.plan_id === null
    ? null
    : conflictRefusal(
        'has_plan',
        'This campaign has a plan, so its brief is fixed. Edit the plan, or ask the team for a change.',
      )) ?? archivedRefusal({ campaign });

type FromBrief = Pick<
  Campaign,
  | 'goal'
  | 'product'
  | 'moment'
  | 'window_start'
  | 'window_end'
  | 'budget_cents'
  | 'audience'
  | 'geography'
  | 'company'
  | 'company_summary'
  | 'desired_outcome'
  | 'category'
  | 'selection'
  | 'launch_post_url'
  | 'replacements'
  | 'name'
  | 'intent_status'
  | 'brief'
>;

/** Defaults as of POST /campaigns; without a window, that of a campaign started by `current`. */
export const fieldsOf = (
  brief: Brief,
  context: ContextInForce,
  of: {
    today: string;
    workspaceName: string;
    /** The stored campaign; null for a new one. */
    campaign: Pick<Campaign, 'renamed_to' | 'company' | 'company_summary'> | null;
  },
): FromBrief => {
  const assumed = addDays(of.today, CURRENT_WINDOW.start);
  const start = brief.window_start ?? earlierOf(assumed, brief.window_end ?? assumed);
  const company = brief.company ?? context.name;
  const goal = brief.goal ?? null;
  return {
    goal,
    product: brief.product ?? null,
    moment: brief.moment ?? null,
    window_start: start,
    window_end: brief.window_end ?? addDays(start, CURRENT_WINDOW.end - CURRENT_WINDOW.start),
    budget_cents: brief.budget_usd === undefined ? null : Math.round(brief.budget_usd * 100),
    audience: brief.audience ?? context.audience,
    geography: brief.geography ?? EVERYWHERE,
    company,
    company_summary: brief.company === undefined ? context.summary : summaryKept(brief.company, of.campaign),
    desired_outcome: brief.desired_outcome ?? (goal === null ? null : USUAL_OUTCOMES[goal]),
    category: brief.category ?? null,
    selection: selectionOf(brief),
    launch_post_url: brief.launch_post_url ?? null,
    replacements: brief.replacements ?? 'auto',
    name: of.campaign?.renamed_to ?? storedName(company ?? of.workspaceName, goal, start),
    intent_status: missingOf(brief, context).length === 0 ? 'ready' : 'draft',
    brief,
  };
};

const summaryKept = (company: string, campaign: Pick<Campaign, 'company' | 'company_summary'> | null): string | null =>
  company === campaign?.company ? (campaign.company_summary ?? null) : null;

/** A plan still to be built is tried again, unless its category forbids it. */
export const buildingAfter = (campaign: Campaign, fields: FromBrief): NoPlanReason | null =>
  campaign.build === null || campaign.sent_to_team_at !== null ? null : (rescreened(campaign, fields) ?? 'building');
