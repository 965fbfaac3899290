import { z } from 'zod';
import { CalendarDate, Uuid } from '../fields.js';
import { closed, codePoints, dateInput, oneOf, uuidInput } from '../input.js';
import { defineOperations } from '../operation.js';
import { sandboxWrites } from '../operation-kinds.js';
import { Proposal } from './proposals.js';

/** The answers that a sandbox creator can simulate (docs/domain/sandbox.md#sandbox). */
const SANDBOX_ANSWERS = ['accept', 'decline', 'ignore', 'late'] as const;

/** A line in the answer of the sandbox's answer endpoint (docs/domain/sandbox.md#sandbox). */
const SandboxLine = z
  .object({ id: Uuid, campaign_id: Uuid, scheduled_date: CalendarDate, booked: z.boolean(), proposal: Proposal })
  .meta({ id: 'SandboxLine' });

export const sandboxLineOperations = defineOperations('proposals', {
  sandbox_line_answer: {
    ...sandboxWrites('campaigns:write'),
    rest: { method: 'POST', path: '/api/sandbox/lines/{id}/answer', root: 'app' },
    summary: 'Simulates the creator’s answer to the proposal of a sandbox line.',
    params: closed({ id: uuidInput().describe('The line id.') }),
    body: closed({
      answer: oneOf(SANDBOX_ANSWERS).describe('What the creator does with its offer.'),
      date: dateInput().optional().describe('The day to book, if accepting.'),
      reason: codePoints({ max: 200 }).optional().describe('Why the creator declines.'),
    }),
    output: SandboxLine,
    conflicts: ['no_open_proposal', 'bad_dates'],
  },
});
