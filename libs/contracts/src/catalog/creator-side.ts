import { z } from 'zod';
import { Cents } from '../fields.js';
import { defineOperations } from '../operation.js';
import { internalReads, internalWrites } from '../operation-kinds.js';
import { FORMATS } from './words.js';

/** Whether a creator gets new proposals: `open`, `paused` by the creator, or `closed` by the team. */
export const CREATOR_PAUSES = ['open', 'paused', 'closed'] as const;
export type CreatorPause = (typeof CREATOR_PAUSES)[number];

const ProposalsOpen = z.object({ proposals: z.enum(CREATOR_PAUSES) });

const pauses = {
  audience: 'creator',
  scope: null,
  effect: 'write',
  idempotency: 'optional',
  output: ProposalsOpen,
  conflicts: ['closed'],
} as const;

/** What creators with a link do about themselves (docs/domain/pages.md#creator-links). */
export const creatorPauseOperations = defineOperations('catalog', {
  creator_pause: {
    ...pauses,
    rest: { method: 'POST', path: '/api/creator/pause', root: 'app' },
    summary: 'Stops new proposals to the creator of a link.',
  },
  creator_resume: {
    ...pauses,
    rest: { method: 'POST', path: '/api/creator/resume', root: 'app' },
    summary: 'Reopens new proposals to the creator of a link.',
  },
  creator_applied: {
    ...internalWrites,
    callers: ['gateway'],
    summary: 'Takes the application of a creator: a new one starts as not_reviewed, and the team gets a task.',
    body: z.object({
      handle: z.string(),
      followers: z.int(),
      units: z.array(z.object({ format: z.enum(FORMATS), ask_cents: Cents })),
      consent: z.string(),
    }),
    output: z.object({ received: z.literal(true) }),
  },
  creator_terms: {
    ...internalReads,
    callers: ['proposals'],
    summary: 'Returns whether a creator gets new proposals, and the ask that led to an all-in price of a unit.',
    body: z.object({ creator_id: z.string(), unit_id: z.string().nullable(), price_cents: Cents }),
    output: ProposalsOpen.extend({ payout_cents: Cents.nullable() }),
  },
});
