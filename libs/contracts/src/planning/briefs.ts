import { z } from 'zod';
import { CATEGORIES, FORMATS, GOALS } from '../catalog/words.js';
import { CalendarDate, publicText, Uuid } from '../fields.js';
import { closed, codePoints } from '../input.js';
import { defineOperations } from '../operation.js';
import { ofPeople } from '../operation-kinds.js';
import { CampaignInput } from './campaign-input.js';
import { CampaignSummary } from './campaigns.js';
import { brandPath, campaignParams } from './inputs.js';
import { Quote } from './quote.js';
import { REPLACEMENTS } from './replacements.js';

/** A person's brief, which may be incomplete (docs/domain/access.md#developers-area). */
export const BriefInput = CampaignInput.partial();
export type BriefInput = z.output<typeof BriefInput>;

const BudgetInput = closed({ budget_usd: CampaignInput.shape.budget_usd });

/** A stored brief, with the required fields that are still missing. */
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
    max_creators: z.int().optional(),
    formats: z.array(z.enum(FORMATS)).optional(),
    max_price_usd: z.number().optional(),
    exclude_creator_ids: z.array(Uuid).optional(),
    launch_post_url: publicText().optional(),
    replacements: z.enum(REPLACEMENTS).optional(),
  }),
  missing: z.array(publicText()),
});
export type BriefSaved = z.infer<typeof BriefSaved>;

export const briefOperations = defineOperations('planning', {
  campaign_draft: {
    ...ofPeople,
    rest: { method: 'POST', path: brandPath('/campaigns'), root: 'app' },
    atLeast: 'member',
    effect: 'write',
    idempotency: 'required',
    summary: 'Starts a draft from a complete or partial brief. Counts as a campaign start.',
    body: BriefInput,
    output: BriefSaved,
    success: 201,
    meters: ['campaign_start'],
    conflicts: ['sandbox_full'],
  },
  campaign_brief_set: {
    ...ofPeople,
    rest: { method: 'PATCH', path: brandPath('/campaigns/{id}/brief'), root: 'app' },
    atLeast: 'member',
    effect: 'write',
    idempotency: 'required',
    summary: 'Changes the brief of a campaign that has no plan.',
    params: campaignParams,
    body: BriefInput,
    output: BriefSaved,
    conflicts: ['has_plan', 'archived'],
  },
  campaign_send: {
    ...ofPeople,
    rest: { method: 'POST', path: brandPath('/campaigns/{id}/send'), root: 'app' },
    atLeast: 'member',
    effect: 'write',
    idempotency: 'required',
    judgesStored: true,
    summary: 'Sends the brief of a campaign that has no plan to the team.',
    params: campaignParams,
    output: CampaignSummary,
    conflicts: ['has_plan', 'archived'],
  },
  campaign_archive: {
    ...ofPeople,
    rest: { method: 'POST', path: brandPath('/campaigns/{id}/archive'), root: 'app' },
    atLeast: 'member',
    effect: 'write',
    idempotency: 'required',
    summary: 'Archives a campaign in any stage. Paid work continues.',
    params: campaignParams,
    output: CampaignSummary,
  },
  campaign_unarchive: {
    ...ofPeople,
    rest: { method: 'POST', path: brandPath('/campaigns/{id}/unarchive'), root: 'app' },
    atLeast: 'member',
    effect: 'write',
    idempotency: 'required',
    summary: 'Restores an archived campaign.',
    params: campaignParams,
    output: CampaignSummary,
  },
  campaign_budget_set: {
    ...ofPeople,
    rest: { method: 'PUT', path: brandPath('/campaigns/{id}/budget'), root: 'app' },
    atLeast: 'admin',
    effect: 'write',
    idempotency: 'required',
    summary: "Changes a campaign's budget and updates its plan to current prices if they fit the budget.",
    params: campaignParams,
    body: BudgetInput,
    output: Quote.nullable(),
    conflicts: ['plan_signed', 'archived'],
  },
  campaign_change_request: {
    ...ofPeople,
    rest: { method: 'POST', path: brandPath('/campaigns/{id}/change-request'), root: 'app' },
    atLeast: 'member',
    effect: 'write',
    idempotency: 'required',
    summary: 'Asks the team to change a plan that waits for approval.',
    params: campaignParams,
    body: closed({ message: codePoints({ max: 2_000 }) }),
    output: CampaignSummary,
    conflicts: ['bad_state', 'plan_signed', 'archived'],
  },
  campaign_change_withdraw: {
    ...ofPeople,
    rest: { method: 'DELETE', path: brandPath('/campaigns/{id}/change-request'), root: 'app' },
    atLeast: 'member',
    effect: 'write',
    idempotency: 'required',
    summary: 'Withdraws a change request.',
    params: campaignParams,
    output: CampaignSummary,
  },
});
