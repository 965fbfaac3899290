import { z } from 'zod';
import { CalendarDate, Count, paidText, publicText, redactedText, Timestamp, Uuid } from '../fields.js';
import {
  addressInput,
  closed,
  codePoints,
  fileInput,
  instantInput,
  integerInput,
  listInput,
  oneOf,
  recordInput,
  uuidInput,
} from '../input.js';
import { defineOperations } from '../operation.js';
import { everyRoleReads, leadWrites, pageOf, paging, reason } from '../operator-fields.js';
import { PostRemedy } from './events.js';

export const POST_STATUSES = ['booked', 'live', 'blocked', 'completed'] as const;

/** The post of a line as the operator's team sees it, of any workspace (docs/domain/operators.md#operators). */
export const OpsPost = z
  .object({
    line_id: Uuid,
    workspace: Uuid,
    sandbox: z.boolean(),
    order_id: Uuid,
    campaign_id: Uuid,
    creator_id: Uuid,
    attempt: z.int().min(1),
    scheduled_date: CalendarDate,
    status: z.enum(POST_STATUSES),
    blocked_reason: publicText().nullable(),
    proof_url: paidText().nullable(),
    published_at: Timestamp.nullable(),
    disclosure: redactedText().nullable(),
    gone_at: Timestamp.nullable(),
    remedy_by: Timestamp.nullable().meta({ description: 'When a remedy is to be decided.' }),
    remedy: PostRemedy.nullable(),
    readings: Count,
  })
  .meta({ id: 'OpsPost' });
export type OpsPost = z.infer<typeof OpsPost>;

/** The result of an import of readings, row by row. A row that is `known` was imported before. */
const ReadingsImport = z
  .object({
    added: Count,
    known: Count,
    refused: Count,
    rows: z.array(
      z.object({
        row: z.int().min(1),
        line_id: Uuid.nullable(),
        outcome: z.enum(['added', 'known', 'refused']),
        message: publicText().nullable(),
      }),
    ),
  })
  .meta({ id: 'ReadingsImport' });

const onLine = (path: string) => ({ method: 'POST', path: `/api/ops/lines/{id}${path}`, root: 'app' }) as const;
const line = closed({ id: uuidInput().describe('The line.') });
const written = {
  ...leadWrites,
  role: 'fulfilment',
  params: line,
  output: OpsPost,
  conflicts: ['bad_state'],
} as const;
const IMPORT_ROWS_MAX = 200;
const CSV_MAX = 60_000;
export const FIGURE_MAX = 1_000_000_000_000;
const figure = () => integerInput({ min: 0, max: FIGURE_MAX }).optional();

export const opsPostOperations = defineOperations('metrics', {
  ops_posts_list: {
    ...everyRoleReads,
    rest: { method: 'GET', path: '/api/ops/posts', root: 'app' },
    summary: 'Lists the posts of booked lines of all workspaces, by line id.',
    query: closed({
      ...paging(),
      status: oneOf(POST_STATUSES).optional().describe('Only posts in this status.'),
      workspace: uuidInput().optional().describe('Only posts of this workspace.'),
    }),
    output: pageOf(OpsPost),
  },
  ops_line_post: {
    ...written,
    rest: onLine('/post'),
    summary: "Submits the creator's post as the proof of a line; the line is live at once.",
    body: closed({
      url: addressInput({ max: 500 }).describe('https://x.com/{handle}/status/{digits}.'),
      disclosure: codePoints({ max: 200 }).optional().describe('The disclosure that you see on the post.'),
      force_note: codePoints({ max: 500 })
        .optional()
        .describe('Why the post counts although its handle or its time does not fit.'),
      reason: reason(),
    }),
  },
  ops_line_look: {
    ...written,
    rest: onLine('/look'),
    summary: 'Records what a look at the post found. A rejected post frees the line for another.',
    body: closed({
      verdict: oneOf(['accepted', 'rejected']),
      disclosure: codePoints({ max: 200 })
        .nullable()
        .optional()
        .describe('The disclosure that you see on the post; null if you see none. Left out, the former one stays.'),
      reason: reason(),
    }),
  },
  ops_line_readings: {
    ...written,
    rest: onLine('/readings'),
    summary: 'Adds a reading of the post. The first one after seven days proves that it is still up.',
    body: closed({
      captured_at: instantInput().describe('When the figures were read.'),
      views: figure(),
      likes: figure(),
      comments: figure(),
      shares: figure(),
      bookmarks: figure(),
      clicks: figure(),
      profile_visits: figure(),
      reason: reason(),
    }),
  },
  ops_readings_import: {
    ...leadWrites,
    role: 'fulfilment',
    rest: { method: 'POST', path: '/api/ops/readings/import', root: 'app' },
    summary: 'Imports readings of posts from rows or CSV text, and reports row by row.',
    body: closed({
      rows: listInput(recordInput(), {
        min: 1,
        max: IMPORT_ROWS_MAX,
      })
        .optional()
        .describe('Each names `line_id` or `url` of the post, `captured_at`, and the figures that were read.'),
      csv: fileInput({ max: CSV_MAX })
        .optional()
        .describe(`The same as CSV text with a head, at most ${IMPORT_ROWS_MAX} rows.`),
      reason: reason(),
    }),
    output: ReadingsImport,
  },
  ops_line_gone: {
    ...written,
    rest: onLine('/gone'),
    summary: 'Records that a post is missing, removed or not disclosed, and its remedy.',
    body: closed({
      remedy: oneOf(['repost', 'replace', 'credit']),
      amount_cents: integerInput({ min: 1, max: 100_000_000 })
        .optional()
        .describe('Of a credit, in US cents. Default: the price of the line.'),
      reason: reason(),
    }),
  },
});
