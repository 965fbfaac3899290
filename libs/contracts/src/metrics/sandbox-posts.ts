import { z } from 'zod';
import { DueFact } from '../clock.js';
import { CalendarDate, paidText, redactedText, Timestamp, Uuid } from '../fields.js';
import { booleanInput, closed, integerInput, oneOf, uuidInput } from '../input.js';
import { defineOperations } from '../operation.js';
import { sandboxWrites } from '../operation-kinds.js';

/** A line's post as the sandbox's post endpoint answers it, with what is still due (docs/domain/sandbox.md#sandbox). */
const SandboxPost = z
  .object({
    id: Uuid,
    campaign_id: Uuid,
    scheduled_date: CalendarDate,
    status: z.enum(['booked', 'live', 'blocked', 'completed']),
    proof_url: paidText().nullable(),
    published_at: Timestamp.nullable(),
    disclosure: redactedText().nullable(),
    pending: z.array(DueFact),
  })
  .meta({ id: 'SandboxPost' });

export const sandboxPostOperations = defineOperations('metrics', {
  sandbox_line_post: {
    ...sandboxWrites('campaigns:write'),
    rest: { method: 'POST', path: '/api/sandbox/lines/{id}/post', root: 'app' },
    summary: 'Simulates the post of a booked sandbox line.',
    params: closed({ id: uuidInput().describe('The line.') }),
    body: closed({
      when: oneOf(['now', 'on_time', 'late', 'never']).describe('When the creator posts.'),
      disclosure: oneOf(['now', 'late', 'never']).describe('When the post is marked as paid.'),
      gone_after_days: integerInput({ min: 0, max: 365 })
        .optional()
        .describe('Removes the post this many days after it went live.'),
      repost: booleanInput().optional().describe('Whether a post that is gone comes back half a day later.'),
      verdict: oneOf(['accepted', 'rejected'])
        .optional()
        .describe('What the team finds an hour after the post goes live. Default: accepted.'),
    }),
    output: SandboxPost,
    conflicts: ['bad_state'],
  },
});
