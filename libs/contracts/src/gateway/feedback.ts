import { z } from 'zod';
import { Timestamp, Uuid } from '../fields.js';
import { closed, codePoints, oneOf, patternInput, uuidInput } from '../input.js';
import { defineOperations } from '../operation.js';

export const FEEDBACK_KINDS = ['bug', 'idea', 'question', 'praise'] as const;

export type FeedbackKind = (typeof FEEDBACK_KINDS)[number];

/** The format of x-request-id and Idempotency-Key (docs/specification.md#general-rules and #limits). */
export const TOKEN_PATTERN = /^[A-Za-z0-9._:-]{8,128}$/;

/** The receipt of a feedback message (docs/domain/requests.md#brand-operations). */
export const FeedbackReceived = z.object({ id: Uuid, received_at: Timestamp }).meta({ id: 'FeedbackReceived' });
export type FeedbackReceived = z.infer<typeof FeedbackReceived>;

export const feedbackOperations = defineOperations('gateway', {
  feedback_send: {
    audience: 'brand',
    rest: { method: 'POST', path: '/feedback', root: 'v1' },
    scope: 'any',
    effect: 'write',
    idempotency: 'optional',
    meters: ['feedback'],
    tool: {
      rank: 20,
      title: 'Send feedback',
      description:
        "Sends a message to the service's team. It costs one of the brand's 20 a day and has no other effect. Any valid key.",
      hints: { readOnly: false, destructive: false, idempotent: false, openWorld: true },
    },
    summary: "Sends feedback to the service's team.",
    body: closed({
      message: codePoints({ max: 4_000 }).describe('What the team should know.'),
      kind: oneOf(FEEDBACK_KINDS).optional().describe('What it is.'),
      campaign_id: uuidInput().optional().describe('The campaign that the feedback is about.'),
      request_id: patternInput(
        TOKEN_PATTERN,
        'must be an x-request-id: 8 to 128 letters, digits or the characters . _ : -',
      )
        .optional()
        .describe('The x-request-id of the call that the feedback is about.'),
    }),
    output: FeedbackReceived,
    success: 201,
  },
});
