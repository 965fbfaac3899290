import { z } from 'zod';
import { Cents, publicText, redactedText, Timestamp, Uuid } from '../fields.js';
import { closed, codePoints, integerInput, listInput, oneOf, uuidInput } from '../input.js';
import { defineOperations } from '../operation.js';
import { brandReads, brandWrites } from '../operation-kinds.js';
import { everyRoleReads, leadWrites, pageOf, paging, reason } from '../operator-fields.js';

export const CLAIM_KINDS = ['not_as_agreed', 'gone', 'undisclosed', 'wrong_day'] as const;
export type ClaimKind = (typeof CLAIM_KINDS)[number];

export const CLAIM_REMEDIES = ['makegood', 'credit', 'none'] as const;
export type ClaimRemedy = (typeof CLAIM_REMEDIES)[number];

/** A brand's claim on the post of a line (docs/domain/orders.md#claims). */
export const LineDispute = z
  .object({
    id: Uuid,
    line_id: Uuid,
    claim: z.enum(CLAIM_KINDS),
    text: redactedText(),
    evidence: z.array(redactedText()),
    state: z.enum(['open', 'decided']),
    opened_at: Timestamp,
    due_at: Timestamp.meta({ description: 'When it is decided at the latest.' }),
    remedy: z.enum(CLAIM_REMEDIES).nullable(),
    amount_cents: Cents.nullable(),
    reason: publicText().nullable(),
    decided_at: Timestamp.nullable(),
  })
  .meta({ id: 'LineDispute' });
export type LineDispute = z.infer<typeof LineDispute>;

export const OpsDispute = LineDispute.extend({ workspace: Uuid, order_id: Uuid, campaign_id: Uuid }).meta({
  id: 'OpsDispute',
});
export type OpsDispute = z.infer<typeof OpsDispute>;

const line = closed({ id: uuidInput().describe('The line, by its id in campaign_status.') });
const MOST_EVIDENCE = 10;

export const claimOperations = defineOperations('metrics', {
  line_dispute: {
    ...brandWrites('campaigns:write'),
    rest: { method: 'POST', path: '/lines/{id}/dispute', root: 'v1' },
    summary: 'Makes a claim on the post of a paid line. The team decides within five days.',
    params: line,
    body: closed({
      claim: oneOf(CLAIM_KINDS).describe('What kind of claim it is.'),
      text: codePoints({ max: 2_000 }).describe('What is wrong.'),
      evidence: listInput(codePoints({ max: 500 }), { max: MOST_EVIDENCE })
        .optional()
        .describe('Links or descriptions of what shows it.'),
    }),
    output: LineDispute,
    success: 201,
    conflicts: ['bad_state'],
  },
  line_disputes: {
    ...brandReads('campaigns:read'),
    rest: { method: 'GET', path: '/lines/{id}/dispute', root: 'v1' },
    summary: 'Lists the claims on a line, newest first.',
    params: line,
    output: z.object({ items: z.array(LineDispute) }),
  },
  ops_disputes_list: {
    ...everyRoleReads,
    rest: { method: 'GET', path: '/api/ops/disputes', root: 'app' },
    summary: 'Lists the open claims of all workspaces, by line id.',
    query: closed(paging()),
    output: pageOf(OpsDispute),
  },
  ops_dispute_decide: {
    ...leadWrites,
    role: 'fulfilment',
    rest: { method: 'POST', path: '/api/ops/disputes/{id}/decide', root: 'app' },
    summary: 'Decides a claim: another creator, money back, or neither.',
    params: closed({ id: uuidInput().describe('The claim.') }),
    body: closed({
      remedy: oneOf(CLAIM_REMEDIES),
      amount_cents: integerInput({ min: 1, max: 100_000_000 })
        .optional()
        .describe('Of a credit, in US cents. Default: the price of the line.'),
      reason: reason(),
    }),
    output: OpsDispute,
    conflicts: ['bad_state'],
  },
});
