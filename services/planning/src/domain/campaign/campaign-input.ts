import { type CampaignInput, type CampaignStarted, type Goal, type Problem, TAXONOMY_VERSION } from '@cds/contracts';
import { type Campaign, NO_GUIDELINES } from '../plan.js';
import { type Today, windowProblems } from '../schedule/window.js';
import { storedName } from './campaign-writes.js';
import type { ContextInForce } from './context.js';
import { foundIn, screened, screenedOf } from './screening.js';
import { ANYONE, narrows, selectionOf } from './selection.js';

/** The desired outcome of a campaign whose input names none (docs/domain/plans.md#campaign-input). */
export const USUAL_OUTCOMES: Record<Goal, string> = {
  launch: 'Views and sign-ups on launch day',
  funding: 'Be seen by investors and hires',
  feature: 'New and existing users try it',
  program: 'Steady reach through the window',
};

export const EVERYWHERE = 'Worldwide';

type Default = CampaignStarted['defaults'][number];

export type CompleteInput = Omit<CampaignInput, 'audience' | 'geography' | 'company' | 'desired_outcome'> & {
  audience: string;
  geography: string;
  company: string | null;
  /** Set when the name came from the context. */
  company_summary: string | null;
  desired_outcome: string;
};

/**
 * Problems that depend on the day and the company context: missing audience, then window
 * (docs/domain/plans.md#campaign-input).
 */
export const inputProblems = (
  sent: { audience?: unknown; window_start?: unknown; window_end?: unknown },
  context: Pick<ContextInForce, 'audience'>,
  today: Today,
): Problem[] => [
  ...(sent.audience === undefined && context.audience === null ? [NO_AUDIENCE] : []),
  ...windowProblems(sent, today),
];

const NO_AUDIENCE: Problem = {
  field: 'audience',
  message: 'is required and must be text of 10 to 2,000 characters after trimming, since the company context has none',
};

/** The defaults are named in the order of the fields. */
export const completeInput = (
  input: CampaignInput,
  context: ContextInForce,
  today: Today,
): { problems: Problem[] } | { problems: null; input: CompleteInput; defaults: Default[] } => {
  const problems = inputProblems(input, context, today);
  const audience = input.audience ?? context.audience;
  if (audience === null || problems.length > 0) return { problems };

  const defaults: Default[] = [];
  const filled = (field: Default['field'], value: string, from: Default['from']): string => {
    defaults.push({ field, value, from });
    return value;
  };
  if (input.audience === undefined) filled('audience', audience, 'company_context');
  const geography = input.geography ?? filled('geography', EVERYWHERE, 'rule');
  const company = input.company ?? (context.name === null ? null : filled('company', context.name, 'company_context'));
  const outcome = input.desired_outcome ?? filled('desired_outcome', USUAL_OUTCOMES[input.goal], 'rule');
  const company_summary = input.company === undefined ? context.summary : null;
  const complete = { ...input, audience, geography, company, company_summary, desired_outcome: outcome };
  return { problems: null, input: complete, defaults };
};

/** What a new campaign takes from elsewhere than its input. */
export type CampaignOrigin = {
  id: string;
  ws: string;
  workspaceName: string;
  now: Date;
  segments: Campaign['segments'];
  unresolved: boolean;
};

export const blankCampaign = (of: CampaignOrigin): Omit<Campaign, 'goal' | 'window_start' | 'window_end' | 'name'> => ({
  _id: of.id,
  ws: of.ws,
  number: 0,
  rev: 1,
  product: null,
  moment: null,
  budget_cents: null,
  audience: null,
  geography: EVERYWHERE,
  company: null,
  company_summary: null,
  desired_outcome: null,
  category: null,
  selection: ANYONE,
  launch_post_url: null,
  replacements: 'auto',
  renamed_to: null,
  segments: of.segments,
  unresolved: of.unresolved,
  taxonomy_version: TAXONOMY_VERSION,
  guidelines: NO_GUIDELINES,
  intent_status: null,
  open_change: false,
  sent_to_team_at: null,
  archived_at: null,
  created_at: of.now,
  plan_id: null,
  no_plan: null,
  build: null,
  brief: null,
  change_request: null,
});

/** It gets its number when it is stored. */
export const campaignFrom = (input: CompleteInput, of: CampaignOrigin): Campaign => ({
  ...blankCampaign(of),
  goal: input.goal,
  product: input.product,
  moment: input.moment,
  window_start: input.window_start,
  window_end: input.window_end,
  budget_cents: Math.round(input.budget_usd * 100),
  audience: input.audience,
  geography: input.geography,
  company: input.company,
  company_summary: input.company_summary,
  desired_outcome: input.desired_outcome,
  category: input.category ?? null,
  selection: selectionOf(input),
  launch_post_url: input.launch_post_url ?? null,
  replacements: input.replacements ?? 'auto',
  name: storedName(input.company ?? of.workspaceName, input.goal, input.window_start),
  intent_status: 'ready',
});

/** No brief; company and audience from the context (docs/domain/plans.md#plan-current). */
export const campaignForCurrent = (
  window: { start: string; end: string },
  context: ContextInForce,
  of: CampaignOrigin,
): Campaign => ({
  ...blankCampaign(of),
  goal: null,
  window_start: window.start,
  window_end: window.end,
  audience: context.audience,
  company: context.name,
  company_summary: context.summary,
  name: storedName(context.name ?? of.workspaceName, null, window.start),
});

/** Without prices (docs/domain/plans.md#no-plan). */
export const noPlanMessage = (reason: NonNullable<Campaign['no_plan']>, campaign: Campaign): string => {
  switch (reason) {
    case 'category_banned':
      return `Creators may not be paid to promote ${whatIsScreened(campaign)}, so no plan is made. If that is wrong, tell the team by feedback: a lead may allow it.`;
    case 'category_review':
      return `The team first reviews ${whatIsScreened(campaign)}. The plan is made once the team allows it.`;
    case 'no_candidates':
      return narrows(campaign.selection ?? ANYONE)
        ? 'No creator on sale reaches this audience within formats, max_price_usd and exclude_creator_ids. Start a campaign that asks less; this plan is tried again each morning.'
        : NO_PLAN_MESSAGES.no_candidates;
    default:
      return NO_PLAN_MESSAGES[reason];
  }
};

const whatIsScreened = (campaign: Campaign): string => foundIn(screened(screenedOf(campaign)));

const NO_PLAN_MESSAGES = {
  no_candidates:
    'No creator on sale reaches this audience now. Describe a wider audience; the plan is tried again each morning.',
  budget_too_small:
    "No creator's format fits the budget and the limit for one plan of the key that started it. Start a campaign with a larger budget.",
  building: 'The plan is being built. Read the campaign again in a few seconds.',
};
