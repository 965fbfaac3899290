import { closed, codePoints, dateInput, oneOf, uuidInput } from '../input.js';
import { defineOperation } from '../operation.js';
import { SandboxLine } from './resources.js';

/** What a sandbox creator can be told to do with its proposal (domain 4-doors 7). */
export const SANDBOX_ANSWERS = ['accept', 'decline', 'ignore', 'late'] as const;
export type SandboxAnswer = (typeof SANDBOX_ANSWERS)[number];

export const proposalsOperations = {
  sandbox_line_answer: defineOperation({
    name: 'sandbox_line_answer',
    service: 'proposals',
    audience: 'sandbox',
    rest: { method: 'POST', path: '/api/sandbox/lines/{id}/answer', root: 'app' },
    scope: 'any',
    effect: 'write',
    idempotency: 'required',
    summary: 'Plays the answer of the creator that has the proposal of a sandbox line.',
    params: closed({ id: uuidInput().describe('The line.') }),
    body: closed({
      answer: oneOf(SANDBOX_ANSWERS),
      date: dateInput().optional().describe('The day to book when accepting.'),
      reason: codePoints({ max: 200 }).optional().describe('Why the creator declines.'),
    }),
    output: SandboxLine,
    conflicts: ['no_open_proposal', 'bad_dates'],
  }),
} as const;
