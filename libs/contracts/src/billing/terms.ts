import { z } from 'zod';
import { CalendarDate, publicText, Timestamp } from '../fields.js';
import { defineOperation } from '../operation.js';

export const termsOperations = {
  terms_publish: defineOperation({
    name: 'terms_publish',
    service: 'billing',
    audience: 'internal',
    scope: null,
    effect: 'write',
    callers: ['gateway'],
    summary: 'Publishes a version of the brand terms. The same version with the same text changes nothing.',
    body: z.object({ version: CalendarDate, number: z.int().min(1), text: z.string().min(1) }),
    output: z.object({ version: publicText(), number: z.int(), published_at: Timestamp }),
  }),
  terms_current: defineOperation({
    name: 'terms_current',
    service: 'billing',
    audience: 'internal',
    scope: null,
    effect: 'read',
    callers: ['gateway'],
    summary: 'Returns the text of the brand terms in force, or of a given version.',
    body: z.object({ version: z.string().optional() }),
    output: z.object({
      terms: z
        .object({
          version: publicText(),
          number: z.int(),
          text: publicText(),
          text_sha256: publicText(),
          published_at: Timestamp,
        })
        .nullable(),
    }),
  }),
} as const;
