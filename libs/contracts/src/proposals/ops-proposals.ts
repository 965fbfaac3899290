import { z } from 'zod';
import { CalendarDate, paidText, publicText, Timestamp, Uuid } from '../fields.js';
import { closed, dateInput, instantInput, oneOf, uuidInput } from '../input.js';
import { defineOperations } from '../operation.js';
import { everyRoleReads, leadWrites, pageOf, paging, reason } from '../operator-fields.js';
import { DECLINE_REASONS } from './creator.js';
import { PROPOSAL_STATES } from './events.js';

/** A proposal with the message that the team sends to its creator (docs/domain/operators.md#operators). */
export const OpsProposal = z
  .object({
    id: Uuid,
    workspace: Uuid,
    /** Never delivered: it is there to be tried out. */
    sandbox: z.boolean(),
    campaign_id: Uuid,
    order_id: Uuid,
    line_id: Uuid,
    attempt: z.int().min(1),
    creator_id: Uuid,
    handle: paidText().nullable(),
    state: z.enum(PROPOSAL_STATES),
    /** Whether the order or the line was cancelled. */
    withdrawn: z.boolean(),
    /** What the message says; the link follows it, which ops_proposal_link makes. */
    text: publicText(),
    scheduled_date: CalendarDate,
    booked: z.boolean(),
    decline_reason: publicText().nullable(),
    decline_note: paidText().nullable(),
    undelivered_at: Timestamp.nullable(),
    sent_at: Timestamp.nullable(),
    expires_at: Timestamp.nullable(),
    updated_at: Timestamp,
  })
  .meta({ id: 'OpsProposal' });
export type OpsProposal = z.infer<typeof OpsProposal>;

/** A proposal with the link that its creator is to be sent: whoever holds it may act for the creator. */
export const LinkedProposal = OpsProposal.extend({ link: publicText() }).meta({ id: 'LinkedProposal' });
export type LinkedProposal = z.infer<typeof LinkedProposal>;

const onProposal = closed({ id: uuidInput() });

const fulfilmentWrites = { ...leadWrites, role: 'fulfilment' } as const;

export const opsProposalOperations = defineOperations('proposals', {
  ops_proposals_list: {
    ...everyRoleReads,
    rest: { method: 'GET', path: '/api/ops/proposals', root: 'app' },
    summary: 'Lists proposals with the messages to their creators, the longest unchanged first.',
    query: closed({
      state: oneOf(PROPOSAL_STATES).optional().describe('Default: all.'),
      older_than: instantInput().optional().describe('Only those unchanged since before this instant.'),
      ...paging(),
    }),
    output: pageOf(OpsProposal),
  },
  ops_proposal_sent: {
    ...fulfilmentWrites,
    rest: { method: 'POST', path: '/api/ops/proposals/{id}/sent', root: 'app' },
    summary: 'Notes that the message of a proposal was sent: the creator has 48 hours from now.',
    params: onProposal,
    body: closed({ reason: reason() }),
    output: OpsProposal,
    conflicts: ['bad_state'],
  },
  ops_proposal_accept: {
    ...fulfilmentWrites,
    rest: { method: 'POST', path: '/api/ops/proposals/{id}/accept', root: 'app' },
    summary: 'Accepts a proposal for its creator, and books a day if one is named.',
    params: onProposal,
    body: closed({ date: dateInput().optional().describe('The day to book.'), reason: reason() }),
    output: OpsProposal,
    conflicts: ['bad_state', 'bad_dates'],
  },
  ops_proposal_date: {
    ...fulfilmentWrites,
    rest: { method: 'POST', path: '/api/ops/proposals/{id}/date', root: 'app' },
    summary: 'Moves the day of a booked post, or of one that is missing, to a day agreed with its creator.',
    params: onProposal,
    body: closed({
      date: dateInput().describe('The new day, up to 14 days after the launch window.'),
      reason: reason(),
    }),
    output: OpsProposal,
    conflicts: ['bad_state', 'bad_dates'],
  },
  ops_proposal_decline: {
    ...fulfilmentWrites,
    rest: { method: 'POST', path: '/api/ops/proposals/{id}/decline', root: 'app' },
    summary: 'Declines a proposal for its creator, or ends an acceptance before its post is live.',
    params: onProposal,
    body: closed({
      because: oneOf(DECLINE_REASONS).optional().describe('What the creator gave as the reason.'),
      reason: reason(),
    }),
    output: OpsProposal,
    conflicts: ['bad_state'],
  },
  ops_proposal_link: {
    ...fulfilmentWrites,
    ownRecord: true,
    rest: { method: 'POST', path: '/api/ops/proposals/{id}/link', root: 'app' },
    summary: 'Makes a new link for a proposal and answers it. The former one is void.',
    params: onProposal,
    body: closed({ reason: reason() }),
    output: LinkedProposal,
    conflicts: ['bad_state'],
  },
});
