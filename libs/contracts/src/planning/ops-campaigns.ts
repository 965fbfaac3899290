import { z } from 'zod';
import { FORMATS } from '../catalog/words.js';
import { CalendarDate, Cents, publicText, Timestamp, Uuid } from '../fields.js';
import { closed, codePoints, dateInput, integerInput, lineInput, oneOf, uuidInput } from '../input.js';
import { defineOperations } from '../operation.js';
import { everyRoleReads, leadWrites, pageOf, paging, reason } from '../operator-fields.js';
import { queryBoolean } from '../query.js';
import { CAMPAIGN_STAGE_IDS, PLAN_STATUSES } from './words.js';

const TEAM_LINES_MAX = 100;

export const OpsCampaign = z
  .object({
    id: Uuid,
    workspace: Uuid,
    company: publicText().nullable(),
    campaign: publicText(),
    product: publicText().nullable(),
    audience: publicText().nullable(),
    geography: publicText(),
    budget_cents: Cents.nullable(),
    stage_id: z.enum(CAMPAIGN_STAGE_IDS),
    open_change: z.boolean(),
    change_request: z.object({ message: publicText(), asked_at: Timestamp }).nullable(),
    plan: z
      .object({
        id: Uuid,
        version: z.int(),
        status: z.enum(PLAN_STATUSES),
        total_cents: Cents,
        lines: z.array(
          z.object({
            id: Uuid,
            creator_id: Uuid.nullable(),
            unit_id: Uuid.nullable(),
            format: z.enum(FORMATS).nullable(),
            scheduled_date: CalendarDate,
            price_cents: Cents,
          }),
        ),
      })
      .nullable(),
    launch_window_start: CalendarDate,
    launch_window_end: CalendarDate,
    sent_to_team_at: Timestamp.nullable(),
    archived_at: Timestamp.nullable(),
    created_at: Timestamp,
  })
  .meta({ id: 'OpsCampaign' });
export type OpsCampaign = z.infer<typeof OpsCampaign>;

const onCampaign = closed({ id: uuidInput() });

const fulfilmentWrites = { ...leadWrites, role: 'fulfilment' } as const;

const teamLine = () =>
  closed({
    line_id: uuidInput().optional().describe('A line of the plan that stays.'),
    unit_id: uuidInput().optional().describe('The format of a new line. Send this or line_id.'),
    scheduled_date: dateInput().describe('A day of the launch window, today or later.'),
    slot: lineInput({ max: 60 }).optional().describe('Default: as the date says.'),
    reason: codePoints({ max: 300 }).optional().describe('Why this creator. Default: from the match.'),
  });

export const opsCampaignOperations = defineOperations('planning', {
  ops_campaigns_list: {
    ...everyRoleReads,
    rest: { method: 'GET', path: '/api/ops/campaigns', root: 'app' },
    summary: 'Lists the campaigns of every workspace with their plans, the oldest first.',
    query: closed({
      stage_id: oneOf(CAMPAIGN_STAGE_IDS).optional().describe('Default: all.'),
      open_change: queryBoolean().optional().describe('Only those whose brand asked for a change, or did not.'),
      ...paging(),
    }),
    output: pageOf(OpsCampaign),
  },
  ops_campaign_plan: {
    ...fulfilmentWrites,
    rest: { method: 'PUT', path: '/api/ops/campaigns/{id}/plan', root: 'app' },
    summary: "Writes a campaign's plan, or its next version while it awaits approval. Ends an open change request.",
    params: onCampaign,
    body: closed({
      lines: z.array(teamLine()).min(1).max(TEAM_LINES_MAX).describe('Every line of the plan, in order.'),
      base_version: integerInput({ min: 0, max: 1_000_000 }).describe(
        'The version that this one replaces; 0 where the campaign has no plan.',
      ),
      reason: reason(),
    }),
    output: OpsCampaign,
    conflicts: ['bad_state', 'plan_signed', 'archived', 'same_day'],
  },
  ops_campaign_answer: {
    ...fulfilmentWrites,
    rest: { method: 'POST', path: '/api/ops/campaigns/{id}/answer', root: 'app' },
    summary: "Answers a brand's request to change its plan, which ends the request. The brand reads it in its notes.",
    params: onCampaign,
    body: closed({ text: codePoints({ max: 1_000 }).describe('What the brand reads.'), reason: reason() }),
    output: OpsCampaign,
    conflicts: ['bad_state'],
  },
});
