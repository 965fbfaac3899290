import { z } from 'zod';
import { defineEvent } from './event.js';
import { publicText, Timestamp, Uuid } from './fields.js';
import type { ServiceName } from './service.js';

/** Tasks of the operator's team, by kind (docs/domain/operators.md#tasks-and-feedback). A new kind is a line here. */
export const TASKS = {
  creator_to_review: 'A sync put an approved creator under review. Look at its checks and decide its status.',
  creator_applied: 'A creator applies to join. Look at the account and its asks, then approve or decline it.',
  ask_under_team_price: 'A creator asks for a price, but the team has already set one. Keep it or set a new one.',
  signing_without_order:
    'The order or the Idempotency-Key of a signed plan belongs to another signing. Find out which is valid, then repair it.',
  signing_stuck: 'An approval has not finished for ten minutes. Find out why planning does not answer for it.',
  stray_charge:
    'Money arrived that its order was not awaiting: a second payment, another amount, or one after its cancellation. Repay it.',
  payment_disputed:
    'A payer disputes a payment with the bank. Answer at the payment provider before the date it names.',
  refund_failed: 'A repayment did not go through. Read why, then repay in another way or correct the request.',
  returned_twice:
    'More went back to a payer than was paid: by your transfer, and at the payment provider. Ask for it back.',
  campaign_sent: "A brand sent a campaign's brief to the team. Write its plan (PUT /campaigns/{id}/plan).",
  change_requested: 'A brand asks for a change of its plan. Answer it, or write the next version of the plan.',
  line_unfilled:
    'Nobody was found for a paid line. Name a creator, or let the search look again each morning at 06:00.',
  post_to_look_at: 'A post was submitted as proof. Look at it: does it fit the agreement, and is it disclosed?',
  post_missing: 'A post did not come. Ask the creator, then decide: repost, replace or credit.',
  post_gone:
    'A post was removed before its proof. Ask the creator to restore it, then decide: repost, replace or credit.',
  post_undisclosed: 'A post shows no disclosure a day after the creator was asked. Decide: repost, replace or credit.',
  reading_due: 'A post has been live for seven days and was not read since. Read it: that reading is its proof.',
  views_fell: 'A reading has over 5 % fewer views than the one before. Read the post again.',
  claim_to_decide: 'A brand makes a claim on a post. Look at its evidence and decide.',
  audit_chain_broken:
    'The audit of a service does not match its checkpoints. Compare the database with its backups and find out who changed it.',
} as const;
export const TASK_KINDS = Object.keys(TASKS) as [keyof typeof TASKS, ...(keyof typeof TASKS)[]];
export type TaskKind = keyof typeof TASKS;

/** What a task is about: ids only, so that no handle is sent. */
export const TaskAbout = z.object({
  creator_id: Uuid.optional(),
  unit_id: Uuid.optional(),
  campaign_id: Uuid.optional(),
  order_id: Uuid.optional(),
  line_id: Uuid.optional(),
});

/** The aggregate is the task's id, derived from its subject, so that it opens once; `note` is our own text. */
export const taskOpened = <const S extends Exclude<ServiceName, 'gateway'>>(service: S) =>
  defineEvent({
    name: `${service}_task.opened`,
    service,
    consumers: ['gateway'],
    kept: true,
    payload: z.object({
      aggregate: Uuid,
      version: z.int(),
      kind: z.enum(TASK_KINDS),
      about: TaskAbout,
      note: publicText().nullable(),
      opened_at: Timestamp,
    }),
  });
