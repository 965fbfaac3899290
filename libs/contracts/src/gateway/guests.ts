import { z } from 'zod';
import { GUEST_QUOTES } from '../catalog/guests.js';
import { Claim } from '../claim.js';
import { Count, Timestamp } from '../fields.js';
import { defineOperations } from '../operation.js';
import { BrainFull, BrainSectionValue, contextOperations } from '../planning/context.js';
import { feedbackOperations } from './feedback.js';

/** Requests of a guest's client address in each UTC minute (docs/domain/mcp.md#guests). */
export const GUEST_REQUESTS_PER_MINUTE = 60;

/** The empty company context of a guest, in full or the requested section (docs/specification.md#brain). */
export const GuestContext = z
  .union([BrainFull.extend({ claim: Claim }), BrainSectionValue.extend({ claim: Claim })])
  .meta({ id: 'GuestContext' });

const ToolName = z.string().meta({ disclosure: 'public' });

/** What a guest can do, and what is left of its limits (docs/domain/mcp.md#guests). */
export const GuestStatus = z
  .object({
    answers_now: z.array(ToolName),
    needs_account: z.array(ToolName),
    limits: z.object({
      requests_per_minute: Count,
      requests: z.object({
        left: Count.meta({ description: 'What is left of this minute, after this call.' }),
        resets_at: Timestamp,
      }),
      quotes: z.object({
        limit: Count,
        window_days: Count,
        left: Count,
        resets_at: Timestamp.nullable().meta({
          description: 'When the oldest use comes back; null when none was used.',
        }),
      }),
    }),
    claim: Claim,
  })
  .meta({ id: 'GuestStatus' });

const ofGuests = { audience: 'guest', scope: null, effect: 'read' } as const;

const { brain_get: keyedContext } = contextOperations;
const { feedback_send: keyedFeedback } = feedbackOperations;

export const guestOperations = defineOperations('gateway', {
  guest_context: {
    ...ofGuests,
    tool: {
      ...keyedContext.tool,
      name: 'brain_get',
      description: 'Returns the empty company context of a guest, with the way to an account. No key needed.',
    },
    summary: 'Returns the empty company context of a guest.',
    query: keyedContext.query,
    output: GuestContext,
  },
  guest_status: {
    ...ofGuests,
    tool: {
      rank: 21,
      title: 'What a guest can do',
      description: `Lists what answers without a key, what needs an account and how to get one, and what is left of the limits: ${GUEST_REQUESTS_PER_MINUTE} requests a minute, ${GUEST_QUOTES.limit} quotes in any ${GUEST_QUOTES.windowDays} days.`,
      hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
    },
    summary: 'Returns what a guest can do.',
    output: GuestStatus,
  },
});

/** The tool for feedback as guests see it: listed, but it needs an account. */
export const guestFeedback = {
  ...keyedFeedback,
  tool: {
    ...keyedFeedback.tool,
    description: "Sends a message to the service's team. Needs an account: a guest gets the way to one instead.",
  },
} as const;
