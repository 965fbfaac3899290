import { z } from 'zod';
import { Cents, publicText, Timestamp, Uuid } from '../fields.js';
import { closed } from '../input.js';
import { defineOperations } from '../operation.js';
import { brandReads } from '../operation-kinds.js';
import { queryInteger } from '../query.js';
import { planParams } from './inputs.js';
import { QuoteLine } from './quote.js';

export const PLAN_WRITES = [
  'campaign.create',
  'plan.build',
  'plan.add_creator',
  'plan.remove_creator',
  'plan.swap_creator',
  'plan.move_dates',
  'plan.reprice',
  'campaign.budget',
  'campaign.moment',
  'plan.team',
  'sandbox.unit_set',
  'sandbox.unit_clear',
] as const;
export type PlanWrite = (typeof PLAN_WRITES)[number];

export const LINE_CHANGES = ['added', 'removed', 'swapped', 'moved', 'repriced'] as const;

export const HISTORY_PAGE = 50;

export const HistoryLine = QuoteLine.pick({
  id: true,
  creator_id: true,
  unit_id: true,
  channel: true,
  channel_label: true,
  format: true,
  deliverable: true,
  scheduled_date: true,
  price_cents: true,
}).meta({ id: 'HistoryLine' });
export type HistoryLine = z.infer<typeof HistoryLine>;

export const HistoryChange = z
  .object({
    line_id: Uuid.meta({ description: 'The line after the change; of a removed line, the line before it.' }),
    change: z.enum(LINE_CHANGES).meta({ description: 'A line that moved and was repriced has a change for each.' }),
    before: HistoryLine.nullable(),
    after: HistoryLine.nullable(),
  })
  .meta({ id: 'HistoryChange' });

export const HistoryVersion = z
  .object({
    version: z.int().min(1),
    at: Timestamp,
    actor: publicText().meta({ description: 'key:<id>, person:<id>, team, or system.' }),
    action: z.enum(PLAN_WRITES),
    total_cents: Cents,
    terms_fingerprint: publicText(),
    changes: z.array(HistoryChange),
  })
  .meta({ id: 'HistoryVersion' });

/** GET /plans/{id}/history: the versions of a plan, newest first. */
export const PlanHistory = z
  .object({ versions: z.array(HistoryVersion).max(HISTORY_PAGE) })
  .meta({ id: 'PlanHistory' });
export type PlanHistory = z.infer<typeof PlanHistory>;

export const historyOperations = defineOperations('planning', {
  plan_history: {
    ...brandReads('campaigns:read'),
    rest: { method: 'GET', path: '/plans/{id}/history', root: 'v1' },
    summary: 'Lists the versions of a plan with what each changed, newest first. Signing makes no version.',
    params: planParams,
    query: closed({
      before: queryInteger({ min: 1 })
        .optional()
        .describe(`Only versions before this one. An answer has at most ${HISTORY_PAGE} versions.`),
    }),
    output: PlanHistory,
  },
});
