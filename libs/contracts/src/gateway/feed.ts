import { z } from 'zod';
import type { Kept } from '../brief.js';
import { publicText, Timestamp, Uuid } from '../fields.js';
import { closed, saying, tokenInput } from '../input.js';
import { defineOperations } from '../operation.js';
import { brandReads } from '../operation-kinds.js';
import { queryInteger } from '../query.js';
import type { Scope } from '../scope.js';

/** The kinds of the feed (docs/domain/events.md#events): the type of the aggregate, and the state it is left in. */
export const FEED_KINDS = [
  'campaign.changed',
  'campaign.deleted',
  'plan.changed',
  'plan.approved',
  'order.unpaid',
  'order.processing',
  'order.paid',
  'order.partially_refunded',
  'order.refunded',
  'order.cancelled',
  'line.offered',
  'line.accepted',
  'line.booked',
  'line.declined',
  'line.no_reply',
  'line.unfilled',
  'line.cancelled',
  'post.booked',
  'post.live',
  'post.blocked',
  'post.completed',
  'reading.taken',
  'mandate.changed',
  'limit.reached',
  'sandbox.reset',
] as const;
export type FeedKind = (typeof FEED_KINDS)[number];

export const FEED_AGGREGATES = [
  'campaign',
  'plan',
  'order',
  'line',
  'post',
  'reading',
  'mandate',
  'limit',
  'sandbox',
] as const;
export type FeedAggregate = (typeof FEED_AGGREGATES)[number];

/** The scope that a key also needs to see what other reads show only with it; no scope contains another. */
export const FEED_SCOPES: Partial<Record<FeedAggregate, Scope>> = { post: 'evidence:read', reading: 'results:read' };

/** Something that happened in a workspace (docs/domain/events.md#events); `version` counts up within the aggregate. */
export const FeedEventResource = z
  .object({
    id: Uuid,
    at: Timestamp,
    kind: z.enum(FEED_KINDS),
    aggregate: z.object({ type: z.enum(FEED_AGGREGATES), id: Uuid }),
    version: z.int().min(1),
    // Its strings come from the payloads of events, where they are marked, or from the gateway itself.
    data: z.record(z.string(), z.unknown().meta({ disclosure: 'public' })).meta({
      description: 'The public state of the aggregate after the event, in the field names of its resource.',
    }),
  })
  .meta({ id: 'Event' });
export type FeedEventResource = z.infer<typeof FeedEventResource>;

/** A page of the feed, oldest first. `next` is the cursor of what comes after it, also where nothing has come yet. */
export const FeedPage = z.object({ events: z.array(FeedEventResource), next: publicText() }).meta({ id: 'Events' });
export type FeedPage = z.infer<typeof FeedPage>;

const KNOWN: ReadonlySet<string> = new Set(FEED_KINDS);
const wordsIn = (list: string): string[] => list.split(',').map((kind) => kind.trim());

export const feedKindsIn = (list: string): FeedKind[] =>
  wordsIn(list).filter((word): word is FeedKind => KNOWN.has(word));

const KIND_RULE = `must be one or more of ${FEED_KINDS.join(', ')}, comma separated`;

const kindField = () =>
  tokenInput({ max: 600 })
    .refine((list) => wordsIn(list).every((kind) => KNOWN.has(kind)), { error: saying(KIND_RULE) })
    .optional()
    .describe('Only events of these kinds, comma separated. Default: all that the key may see.');

const cursorField = () =>
  tokenInput({ max: 120 })
    .optional()
    .describe('The next of the previous answer, or latest for what comes from now on. Default: the oldest event kept.');

const BRIEF_PAGE = {
  events: { id: true, at: true, kind: true, aggregate: { id: true }, data: true },
  next: true,
} as const satisfies Kept<FeedPage>;

export const feedOperations = defineOperations('gateway', {
  events_list: {
    ...brandReads('campaigns:read'),
    rest: { method: 'GET', path: '/events', root: 'v1' },
    waits: true,
    extension: true,
    tool: {
      rank: 26,
      name: 'events_wait',
      title: 'Wait for events',
      description:
        'Returns what happened in the workspace after a cursor: campaigns, plans, orders, lines, posts, readings, mandates and limits. With wait it answers when something happens. Scope campaigns:read; posts also evidence:read, readings results:read.',
      hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
      brief: { kept: BRIEF_PAGE },
    },
    summary: 'Lists what happened in the workspace, oldest first, and waits for it if asked to.',
    query: closed({
      cursor: cursorField(),
      limit: queryInteger({ min: 1, max: 200 }).optional().describe('Events of a page. Default: 50.'),
      kind: kindField(),
      wait: queryInteger({ min: 0, max: 20 })
        .optional()
        .describe('Seconds to wait for an event when there is none yet. Default: 0.'),
    }),
    output: FeedPage,
  },
  events_stream: {
    ...brandReads('campaigns:read'),
    rest: { method: 'GET', path: '/events/stream', root: 'v1' },
    mediaType: 'text/event-stream',
    meters: ['stream'],
    summary: 'Sends what happens in the workspace as Server-Sent Events, for up to five minutes.',
    query: closed({
      cursor: cursorField(),
      kind: kindField(),
      seconds: queryInteger({ min: 1, max: 300 }).optional().describe('How long the stream lasts. Default: 300.'),
    }),
    output: closed({
      id: publicText().describe('The cursor to go on from, as Last-Event-ID.'),
      event: publicText().describe('The kind.'),
      data: publicText().describe('An Event as JSON.'),
    }).describe('One of the Server-Sent Events of the stream.'),
  },
});
