import { z } from 'zod';
import { Order } from '../billing/resources.js';
import { CATEGORIES, GOALS } from '../catalog/words.js';
import { CalendarDate, Cents, Count, publicText, Timestamp, Uuid } from '../fields.js';
import { closed, codePoints, dateInput, oneOf, saying, usdInput } from '../input.js';
import { Proposal } from '../proposals/resources.js';
import { Quote } from './quote.js';
import {
  BRAIN_SECTIONS,
  CAMPAIGN_STAGE_IDS,
  CAMPAIGN_STAGE_LABELS,
  LINE_STAGE_IDS,
  LINE_STAGE_LABELS,
  LINE_STATUSES,
  NO_PLAN_REASONS,
  PLAN_STATUSES,
} from './words.js';

export * from './quote.js';

/** The body of POST /campaigns, fields in the order problems are told (spec, "CampaignInput"; domain 2-plans 1). */
export const CampaignInput = closed({
  goal: oneOf(GOALS).describe('What the campaign is for.'),
  product: codePoints({ max: 2_000 }).describe('What is being promoted.'),
  moment: codePoints({ max: 2_000 }).describe('What goes live and when.'),
  window_start: dateInput().describe('First day of the launch window, today or later.'),
  window_end: dateInput().describe('Last day, on or after window_start, at most one year later.'),
  budget_usd: usdInput({ max: 10_000_000 }).describe('Budget in US dollars.'),
  audience: codePoints({ min: 10, max: 2_000 })
    .optional()
    .describe("Who should see it; the company context's audience when left out."),
  geography: codePoints({ max: 200 }).optional().describe('Worldwide when left out.'),
  company: codePoints({ max: 200 }).optional().describe("The company context's name when left out."),
  desired_outcome: codePoints({ max: 500 }).optional().describe("The goal's usual outcome when left out."),
  category: oneOf(CATEGORIES)
    .optional()
    .describe('What kind of product it is; screened by its texts alone when left out.'),
}).meta({ id: 'CampaignInput' });
export type CampaignInput = z.output<typeof CampaignInput>;

/** A person's brief: as much of it as there is (domain 4-doors 3.2). */
export const BriefInput = CampaignInput.partial();
export type BriefInput = z.output<typeof BriefInput>;

/** A campaign's budget alone, under the rule of CampaignInput. */
export const BudgetInput = closed({ budget_usd: CampaignInput.shape.budget_usd });

const stage = {
  stage_id: z.enum(CAMPAIGN_STAGE_IDS).meta({ description: 'Branch on this, never on the label.' }),
  stage: z.enum(CAMPAIGN_STAGE_LABELS),
} as const;

/** A row of the campaign list (spec, "CampaignSummary"). */
export const CampaignSummary = z
  .object({
    id: Uuid,
    display_name: publicText(),
    company: publicText().nullable(),
    product: publicText().nullable(),
    objective: publicText().nullable(),
    created_at: Timestamp,
    plan_status: z.enum(PLAN_STATUSES).nullable(),
    open_change: z.boolean(),
    intent_status: z.enum(['draft', 'ready']).nullable(),
    ...stage,
    waits_on_you: z.boolean(),
    refunded_at: Timestamp.nullable(),
    archived_at: Timestamp.nullable(),
  })
  .meta({ id: 'CampaignSummary' });
export type CampaignSummary = z.infer<typeof CampaignSummary>;

/** A brief as it is held, with the required fields that are still missing. */
export const BriefSaved = z.object({
  campaign: CampaignSummary,
  brief: z.object({
    goal: z.enum(GOALS).optional(),
    product: publicText().optional(),
    moment: publicText().optional(),
    window_start: CalendarDate.optional(),
    window_end: CalendarDate.optional(),
    budget_usd: z.number().optional(),
    audience: publicText().optional(),
    geography: publicText().optional(),
    company: publicText().optional(),
    desired_outcome: publicText().optional(),
    category: z.enum(CATEGORIES).optional(),
  }),
  missing: z.array(publicText()),
});
export type BriefSaved = z.infer<typeof BriefSaved>;

/** The answer of GET /campaigns. */
export const Campaigns = z.object({ campaigns: z.array(CampaignSummary) }).meta({ id: 'Campaigns' });
export type Campaigns = z.infer<typeof Campaigns>;

/** One line of a plan as its campaign shows it (spec, "Plan line"). */
export const PlanLine = z
  .object({
    id: Uuid,
    channel: publicText(),
    channel_label: publicText(),
    slot: publicText(),
    scheduled_date: CalendarDate,
    price_cents: Cents,
    status: z.enum(LINE_STATUSES),
    stage_id: z.enum(LINE_STAGE_IDS),
    stage: z.enum(LINE_STAGE_LABELS),
    proposal: Proposal.nullable(),
  })
  .meta({ id: 'PlanLine' });
export type PlanLine = z.infer<typeof PlanLine>;

/** The plan inside a campaign's status (spec, "CampaignStatus"). */
export const CampaignPlan = z
  .object({
    id: Uuid,
    version: z.int().min(1),
    status: z.enum(PLAN_STATUSES),
    launch_window_start: CalendarDate,
    launch_window_end: CalendarDate,
    currency: publicText(),
    sent_at: Timestamp.nullable(),
    approved_at: Timestamp.nullable(),
    total_cents: Cents,
    lines: z.array(PlanLine),
    lines_by_status: z.object({
      planned: Count,
      booked: Count,
      live: Count,
      completed: Count,
      blocked: Count,
      cancelled: Count,
    }),
    lines_by_stage: z.object({
      planned: Count,
      offered: Count,
      creator_confirmed: Count,
      scheduled: Count,
      live: Count,
      proof_attached: Count,
      cancelled: Count,
    }),
  })
  .meta({ id: 'CampaignPlan' });
export type CampaignPlan = z.infer<typeof CampaignPlan>;

/** What creators read about a campaign; all six fields always stand (spec, "CreatorGuidelines"). */
export const CreatorGuidelines = z
  .object({
    pitch: publicText(),
    key_messages: z.array(publicText()),
    references: z.array(publicText()),
    voice: publicText(),
    dos: z.array(publicText()),
    donts: z.array(publicText()),
  })
  .meta({ id: 'CreatorGuidelines' });
export type CreatorGuidelines = z.infer<typeof CreatorGuidelines>;

const LIST_MAX = 8;

const listOf = (item: z.ZodType<string, unknown>) => {
  const error = saying(`must be a list of at most ${LIST_MAX} items`);
  return z.array(item, { error }).max(LIST_MAX, { error }).optional();
};

const guidelineText = () => codePoints({ max: 200 });

const reference = () =>
  codePoints({ max: 500 }).refine((text) => /^https:\/\/\S+$/.test(text) && URL.canParse(text), {
    error: 'must be a URI starting with https://, at most 500 characters',
  });

/** The body that sets guidelines: a field left out is cleared (spec, "CreatorGuidelinesInput"; domain 2-plans 8). */
export const CreatorGuidelinesInput = closed({
  pitch: codePoints({ min: 0, max: 800 }).optional(),
  key_messages: listOf(guidelineText()),
  references: listOf(reference()),
  voice: codePoints({ min: 0, max: 300 }).optional(),
  dos: listOf(guidelineText()),
  donts: listOf(guidelineText()),
}).meta({ id: 'CreatorGuidelinesInput' });
export type CreatorGuidelinesInput = z.output<typeof CreatorGuidelinesInput>;

/** The answer of setting guidelines. */
export const GuidelinesSet = z
  .object({ campaign_id: Uuid, creator_guidelines: CreatorGuidelines })
  .meta({ id: 'GuidelinesSet' });
export type GuidelinesSet = z.infer<typeof GuidelinesSet>;

/** Where a campaign stands (spec, "CampaignStatus"). */
export const CampaignStatus = z
  .object({
    id: Uuid,
    campaign: publicText(),
    created_at: Timestamp,
    refunded_at: Timestamp.nullable(),
    archived_at: Timestamp.nullable(),
    intent_status: z.enum(['draft', 'ready']).nullable(),
    plan_status: z.enum(PLAN_STATUSES).nullable(),
    open_change: z.boolean(),
    ...stage,
    plan: CampaignPlan.nullable(),
    order: Order.nullable(),
    creator_guidelines: CreatorGuidelines,
  })
  .meta({ id: 'CampaignStatus' });
export type CampaignStatus = z.infer<typeof CampaignStatus>;

/** The answer of POST /campaigns: what was stored, what was filled in, and the plan or why there is none (domain 2-plans 1). */
export const CampaignStarted = z
  .object({
    id: Uuid,
    campaign: publicText(),
    display_name: publicText(),
    ...stage,
    created_at: Timestamp,
    budget_usd: z.number().min(0),
    budget_cents: Cents,
    defaults: z.array(
      z.object({
        field: z.enum(['audience', 'geography', 'company', 'desired_outcome']),
        value: publicText(),
        from: z.enum(['company_context', 'rule']),
      }),
    ),
    plan: Quote.nullable(),
    no_plan: z.object({ reason: z.enum(NO_PLAN_REASONS), message: publicText() }).nullable(),
  })
  .meta({ id: 'CampaignStarted' });
export type CampaignStarted = z.infer<typeof CampaignStarted>;

/** The answer of a rename (domain 2-plans 1). */
export const CampaignRenamed = z
  .object({ id: Uuid, campaign: publicText(), display_name: publicText() })
  .meta({ id: 'CampaignRenamed' });
export type CampaignRenamed = z.infer<typeof CampaignRenamed>;

/** The answer of deleting a draft (domain 2-plans 7). */
export const CampaignDeleted = z.object({ id: Uuid, deleted: z.literal(true) }).meta({ id: 'CampaignDeleted' });
export type CampaignDeleted = z.infer<typeof CampaignDeleted>;

/** The answers of the four plan edits (spec, "POST /plans/{id}/lines" to "POST /plans/{id}/dates"). */
export const LineAdded = z.object({ line_id: Uuid, plan: Quote }).meta({ id: 'LineAdded' });
export type LineAdded = z.infer<typeof LineAdded>;
export const LineRemoved = z.object({ removed_line_id: Uuid, plan: Quote }).meta({ id: 'LineRemoved' });
export type LineRemoved = z.infer<typeof LineRemoved>;
export const LineSwapped = z.object({ line_id: Uuid, removed_line_id: Uuid, plan: Quote }).meta({ id: 'LineSwapped' });
export type LineSwapped = z.infer<typeof LineSwapped>;
export const DatesMoved = z.object({ lines_moved: Count, plan: Quote }).meta({ id: 'DatesMoved' });
export type DatesMoved = z.infer<typeof DatesMoved>;

const brainHead = { version: Count, confirmed_at: Timestamp.nullable() } as const;

/** The company context in full (spec, "Brain"). */
export const BrainFull = z
  .object({
    ...brainHead,
    context: z.object({
      name: publicText().optional(),
      summary: publicText().optional(),
      audience: publicText().optional(),
    }),
    versions: z.array(z.object({ version: z.int().min(1), created_at: Timestamp })),
  })
  .meta({ id: 'BrainFull' });
export type BrainFull = z.infer<typeof BrainFull>;

/** One section of the company context (spec, "Brain"). */
export const BrainSectionValue = z
  .object({ ...brainHead, section: z.enum(BRAIN_SECTIONS), value: publicText().nullable() })
  .meta({ id: 'BrainSection' });
export type BrainSectionValue = z.infer<typeof BrainSectionValue>;

/** The company context in one of its two forms: whole, or the section that was asked for. */
export const Brain = z.union([BrainFull, BrainSectionValue]).meta({ id: 'Brain' });
export type Brain = z.infer<typeof Brain>;

const contextTexts = BrainFull.shape.context;

/** The company context in force as people read it: each version with its confirmation, newest first (domain 2-plans 2). */
export const ContextView = z.object({
  ...brainHead,
  context: contextTexts,
  versions: z.array(z.object({ version: z.int().min(1), created_at: Timestamp, confirmed_at: Timestamp.nullable() })),
});
export type ContextView = z.infer<typeof ContextView>;

/** One version of the company context; `proposal` is the id of the website read that made it, null of a person's. */
export const ContextVersionView = z.object({
  version: z.int().min(1),
  proposal: Uuid.nullable(),
  created_at: Timestamp,
  confirmed_at: Timestamp.nullable(),
  context: contextTexts,
});
export type ContextVersionView = z.infer<typeof ContextVersionView>;

/** The override of one unit that one sandbox alone sees; null and false leave the network's own value (domain 4-doors 7). */
export const SandboxUnit = z
  .object({ unit_id: Uuid, price_cents: Cents.nullable(), age_days: Count.nullable(), off_sale: z.boolean() })
  .meta({ id: 'SandboxUnit' });
export type SandboxUnit = z.infer<typeof SandboxUnit>;
