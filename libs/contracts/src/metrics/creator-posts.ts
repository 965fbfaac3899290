import { z } from 'zod';
import { Count, paidText, redactedText, Timestamp, Uuid } from '../fields.js';
import { closed, codePoints, fileInput, instantInput, integerInput, patternInput } from '../input.js';
import { defineOperations } from '../operation.js';
import { internalReads } from '../operation-kinds.js';
import { FIGURE_MAX, POST_STATUSES } from './ops-posts.js';

export const POST_ACTS = ['post', 'analytics'] as const;
export type PostAct = (typeof POST_ACTS)[number];

/** What is missing and the creator can give: the post, the same or another one in its place, or its disclosure. */
export const POST_NEEDS = ['post', 'repost', 'disclosure'] as const;
export type PostNeed = (typeof POST_NEEDS)[number];

const CreatorReading = z
  .object({
    captured_at: Timestamp,
    views: Count.nullable(),
    likes: Count.nullable(),
    comments: Count.nullable(),
    shares: Count.nullable(),
    bookmarks: Count.nullable(),
    clicks: Count.nullable(),
    profile_visits: Count.nullable(),
    source: z.enum(['sandbox', 'channel', 'import', 'operator', 'creator']),
  })
  .meta({ id: 'CreatorReading' });

/** The post of a booked line as its creator sees it (docs/domain/pages.md#creator-links). */
export const CreatorPost = z
  .object({
    status: z.enum(POST_STATUSES),
    needs: z.enum(POST_NEEDS).nullable(),
    needs_by: Timestamp.nullable(),
    url: paidText().nullable(),
    published_at: Timestamp.nullable(),
    disclosure: redactedText().nullable(),
    readings: z.array(CreatorReading),
    may: z.array(z.enum(POST_ACTS)),
  })
  .meta({ id: 'CreatorPost' });
export type CreatorPost = z.infer<typeof CreatorPost>;

const CSV_BYTES = 2 * 1024 * 1024;
const figure = () => integerInput({ min: 0, max: FIGURE_MAX }).optional();

const creatorWrites = {
  audience: 'creator',
  scope: null,
  effect: 'write',
  idempotency: 'optional',
  conflicts: ['not_booked'],
} as const;

/** What creators with a link do about their post (docs/domain/pages.md#creator-links). */
export const creatorPostOperations = defineOperations('metrics', {
  creator_post: {
    ...creatorWrites,
    rest: { method: 'POST', path: '/api/creator/post', root: 'app' },
    summary: 'Submits the post of a booked proposal; it is live at once.',
    body: closed({
      url: patternInput(/^\s*\S{1,500}\s*$/, 'must be the address of your post').describe(
        'https://x.com/{handle}/status/{digits}.',
      ),
      disclosure: codePoints({ max: 200 })
        .optional()
        .describe('What the post says: #ad, #sponsored or "Paid partnership with …". The team looks for the label.'),
    }),
    output: CreatorPost,
  },
  creator_analytics: {
    ...creatorWrites,
    rest: { method: 'POST', path: '/api/creator/analytics', root: 'app' },
    csv: { field: 'csv', maxBytes: CSV_BYTES },
    summary: "Adds the creator's own reading of the post, as figures or as X's analytics export.",
    body: closed({
      captured_at: instantInput().optional().describe('When the figures were read. Default: now.'),
      views: figure(),
      likes: figure(),
      comments: figure(),
      shares: figure().describe('Reposts and quotes.'),
      bookmarks: figure(),
      clicks: figure().describe('Clicks on links.'),
      profile_visits: figure(),
      csv: fileInput({ max: CSV_BYTES })
        .optional()
        .describe("X's analytics export instead of figures; its other rows count for nothing."),
    }),
    output: CreatorPost,
  },
  creator_post_read: {
    ...internalReads,
    callers: ['proposals'],
    summary: 'Returns the post of an attempt of a line for its creator; null while metrics knows of no booking.',
    body: z.object({ line_id: Uuid, attempt: z.int().min(1) }),
    output: z.object({ post: CreatorPost.nullable() }),
  },
});
