import { z } from 'zod';
import { RepublishRun } from '../event-operations.js';
import { closed, codePoints, oneOf } from '../input.js';
import { defineOperations } from '../operation.js';
import { SERVICES } from '../service.js';

export const republishOperations = defineOperations('gateway', {
  ops_republish_progress: {
    audience: 'operator',
    rest: { method: 'GET', path: '/api/ops/republish', root: 'app' },
    scope: null,
    role: 'lead',
    effect: 'read',
    summary: 'Reports each service’s progress in republishing the current state of its aggregates.',
    output: z.object({
      runs: z.array(RepublishRun),
      unavailable: z.array(z.enum(SERVICES)).describe('Services that did not answer.'),
    }),
  },
  ops_republish: {
    audience: 'operator',
    rest: { method: 'POST', path: '/api/ops/republish', root: 'app' },
    scope: null,
    role: 'lead',
    effect: 'write',
    idempotency: 'required',
    summary: 'Makes services republish the current state of every aggregate. Safe at any time.',
    body: closed({
      service: oneOf(SERVICES).optional().describe('The service that publishes. Default: all.'),
      reason: codePoints({ max: 500 }).optional().describe('The reason, stored in the audit.'),
    }),
    output: z.object({
      runs: z.array(RepublishRun),
      unavailable: z
        .array(z.enum(SERVICES))
        .describe('Services that did not answer and started nothing. Ask them again with a new Idempotency-Key.'),
    }),
    success: 202,
  },
});
