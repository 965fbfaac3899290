import { z } from 'zod';
import { publicText, Timestamp, Uuid } from '../fields.js';
import { closed, codePoints, oneOf, uuidInput } from '../input.js';
import { defineOperations } from '../operation.js';
import { everyRoleReads, leadWrites, pageOf, paging, reason } from '../operator-fields.js';
import { FEEDBACK_KINDS } from './feedback.js';

const FEEDBACK_STATES = ['new', 'seen', 'answered'] as const;
export type FeedbackState = (typeof FEEDBACK_STATES)[number];

/** A brand's message to the service's team (docs/domain/operators.md#tasks-and-feedback). */
export const FeedbackItem = z
  .object({
    id: Uuid,
    workspace: Uuid,
    key_id: Uuid,
    message: publicText(),
    kind: z.enum(FEEDBACK_KINDS).nullable(),
    campaign_id: Uuid.nullable(),
    request_id: publicText().nullable(),
    state: z.enum(FEEDBACK_STATES),
    received_at: Timestamp,
    answer: publicText().nullable(),
    changed_at: Timestamp.nullable(),
    changed_by: publicText().nullable(),
  })
  .meta({ id: 'FeedbackItem' });
export type FeedbackItem = z.infer<typeof FeedbackItem>;

const anyWriter = { ...leadWrites, role: 'writer' } as const;

export const feedbackInboxOperations = defineOperations('gateway', {
  ops_feedback_list: {
    ...everyRoleReads,
    rest: { method: 'GET', path: '/api/ops/feedback', root: 'app' },
    summary: 'Lists the feedback of brands, oldest first.',
    query: closed({ state: oneOf(FEEDBACK_STATES).optional().describe('Default: all.'), ...paging() }),
    output: pageOf(FeedbackItem),
  },
  ops_feedback_seen: {
    ...anyWriter,
    rest: { method: 'POST', path: '/api/ops/feedback/{id}/seen', root: 'app' },
    summary: 'Marks new feedback as seen.',
    params: closed({ id: uuidInput() }),
    body: closed({ reason: reason() }),
    output: FeedbackItem,
    conflicts: ['bad_state'],
  },
  ops_feedback_answer: {
    ...anyWriter,
    rest: { method: 'POST', path: '/api/ops/feedback/{id}/answer', root: 'app' },
    summary: 'Marks feedback as answered and keeps what was answered. It sends nothing.',
    params: closed({ id: uuidInput() }),
    body: closed({
      text: codePoints({ max: 4_000 }).describe('What was answered.'),
      reason: reason().optional(),
    }),
    output: FeedbackItem,
    conflicts: ['bad_state'],
  },
});
