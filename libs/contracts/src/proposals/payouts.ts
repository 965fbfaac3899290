import { z } from 'zod';
import { Cents, paidText, publicText, Timestamp, Uuid } from '../fields.js';
import { closed, integerInput, lineInput, oneOf, uuidInput } from '../input.js';
import { defineOperations } from '../operation.js';
import { everyRoleReads, leadWrites, pageOf, paging, reason } from '../operator-fields.js';

/** What a creator is owed for a post: nothing until it is proved (docs/domain/orders.md#payouts). */
export const PAYOUT_STATES = ['not_due', 'due', 'paid'] as const;
export type PayoutState = (typeof PAYOUT_STATES)[number];

const CENTS_MAX = 100_000_000;

/** The payout of a proved post as the operator's team sees it. The service moves no money to creators. */
export const OpsPayout = z
  .object({
    line_id: Uuid,
    order_id: Uuid,
    campaign_id: Uuid,
    workspace: Uuid,
    /** Nobody is paid for a sandbox's posts. */
    sandbox: z.boolean(),
    creator_id: Uuid,
    handle: paidText().nullable(),
    state: z.enum(PAYOUT_STATES),
    proved_at: Timestamp.nullable(),
    /** The creator's own ask behind the price of the line, in US cents; null where none is on file. */
    ask_cents: Cents.nullable(),
    paid: z.object({ amount_cents: Cents, reference: publicText(), at: Timestamp }).nullable(),
    /** Payouts that the bank sent back, oldest first. */
    returned: z.array(
      z.object({ amount_cents: Cents, reference: publicText(), at: Timestamp, returned_at: Timestamp }),
    ),
  })
  .meta({ id: 'OpsPayout' });
export type OpsPayout = z.infer<typeof OpsPayout>;

export const payoutOperations = defineOperations('proposals', {
  ops_payouts_list: {
    ...everyRoleReads,
    rest: { method: 'GET', path: '/api/ops/payouts', root: 'app' },
    summary: 'Lists what creators are owed or were paid for proved posts of live campaigns, the longest proved first.',
    query: closed({ state: oneOf(['due', 'paid']).optional().describe('Default: due.'), ...paging() }),
    output: pageOf(OpsPayout),
  },
  ops_line_payout: {
    ...leadWrites,
    role: 'finance',
    rest: { method: 'POST', path: '/api/ops/lines/{id}/payout', root: 'app' },
    summary: 'Records that the creator of a proved post was paid.',
    params: closed({ id: uuidInput().describe('The line.') }),
    body: closed({
      amount_cents: integerInput({ min: 1, max: CENTS_MAX }).describe(
        'What was paid, in US cents, up to the price of the line.',
      ),
      reference: lineInput({ max: 100 }).describe("The transfer's reference at the bank."),
      reason: reason(),
    }),
    output: OpsPayout,
    conflicts: ['bad_state'],
  },
  ops_line_payout_returned: {
    ...leadWrites,
    role: 'finance',
    rest: { method: 'POST', path: '/api/ops/lines/{id}/payout-returned', root: 'app' },
    summary: "Records that the bank sent a creator's payout back; it is due again.",
    params: closed({ id: uuidInput().describe('The line.') }),
    body: closed({ reason: reason() }),
    output: OpsPayout,
    conflicts: ['bad_state'],
  },
});
