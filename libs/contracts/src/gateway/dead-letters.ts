import { z } from 'zod';
import { DEAD_LETTER_STATES, DeadLetter } from '../event-operations.js';
import { publicText } from '../fields.js';
import { closed, codePoints, oneOf, tokenInput, uuidInput } from '../input.js';
import { defineOperations } from '../operation.js';
import { queryInteger } from '../query.js';
import { SERVICES } from '../service.js';

export const deadLetterOperations = defineOperations('gateway', {
  ops_dead_letters_list: {
    audience: 'operator',
    rest: { method: 'GET', path: '/api/ops/dead-letters', root: 'app' },
    scope: null,
    role: 'lead',
    effect: 'read',
    summary: 'Lists events that services set aside, oldest first.',
    query: closed({
      state: oneOf(DEAD_LETTER_STATES).optional().describe('Default: parked.'),
      service: oneOf(SERVICES).optional().describe('The service that consumes the events. Default: all.'),
      cursor: tokenInput({ max: 100 }).optional().describe('The next of the previous answer.'),
      limit: queryInteger({ min: 1, max: 200 }).optional().describe('Default: 50.'),
    }),
    output: z.object({
      dead_letters: z.array(DeadLetter),
      total: z.int().describe('How many events of this state the services that answered hold, on all pages.'),
      unavailable: z
        .array(z.enum(SERVICES))
        .describe('Services that did not answer. Their events are missing from this list; read it again later.'),
      next: publicText().nullable(),
    }),
  },
  ops_dead_letter_retry: {
    audience: 'operator',
    rest: { method: 'POST', path: '/api/ops/dead-letters/{id}/retry', root: 'app' },
    scope: null,
    role: 'lead',
    effect: 'write',
    idempotency: 'required',
    summary: 'Retries an event that was set aside. If it fails, it stays parked with the new error.',
    params: closed({ id: uuidInput() }),
    body: closed({ reason: codePoints({ max: 500 }).describe('The reason for the retry, stored in the audit.') }),
    output: DeadLetter,
  },
  ops_dead_letter_close: {
    audience: 'operator',
    rest: { method: 'POST', path: '/api/ops/dead-letters/{id}/close', root: 'app' },
    scope: null,
    role: 'lead',
    effect: 'write',
    idempotency: 'required',
    summary:
      'Closes an event that will never be applied, such as a malformed one. It is kept as closed for 30 days; one that was already applied stays applied.',
    params: closed({ id: uuidInput() }),
    body: closed({ reason: codePoints({ max: 500 }).describe('Why it is not needed, stored in the audit.') }),
    output: DeadLetter,
  },
});
