import { z } from 'zod';
import { CalendarDate, Count, publicText, Timestamp, Uuid } from '../fields.js';
import { closed, stringInput, uuidInput, whenObject } from '../input.js';
import { defineOperations } from '../operation.js';
import { brandReads } from '../operation-kinds.js';
import { queryInteger, queryOneOf } from '../query.js';

/** How many days of usage can be asked for (docs/specification.md#key-usage). */
const USAGE_DAYS = [7, 30, 90] as const;

/** How a request reached the service: over REST or MCP with a key, or from a person's session. */
export const TRANSPORTS = ['rest', 'mcp', 'app'] as const;
export type Transport = (typeof TRANSPORTS)[number];

/** Requests by UTC day, oldest first and today last; `total` is `ok` plus `errors`, summed over the days. */
export const UsageByDay = z
  .object({
    range_days: z.int(),
    timezone: z.literal('UTC'),
    days: z.array(z.object({ day: CalendarDate, ok: Count, errors: Count })),
    total: Count,
    errors: Count,
  })
  .meta({ id: 'UsageByDay' });

/** A page of the request log, newest first. A row holds no query values, bodies or names of the brand's objects. */
export const RequestLog = z
  .object({
    requests: z.array(
      z.object({
        id: Uuid,
        at: Timestamp,
        key_id: Uuid,
        key_name: publicText(),
        door: z.enum(TRANSPORTS),
        operation: publicText().nullable(),
        method: publicText(),
        path: publicText(),
        status: z.int(),
        code: publicText().nullable(),
        reason: publicText().nullable(),
        duration_ms: z.number(),
        request_id: publicText(),
      }),
    ),
    next: publicText().nullable(),
  })
  .meta({ id: 'RequestLog' });
export type RequestLog = z.infer<typeof RequestLog>;

/** Refuses paging together with `days`, which is answered whole. */
const notWithDays = (field: 'limit' | 'cursor') =>
  z.refine<Record<string, unknown>>((query) => query['days'] === undefined || query[field] === undefined, {
    path: [field],
    error: 'is not accepted together with days; leave days out to page the request log',
    when: whenObject,
  });

export const keyUsageOperations = defineOperations('gateway', {
  keys_usage: {
    ...brandReads('any'),
    rest: { method: 'GET', path: '/api/keys/usage', root: 'app' },
    summary: 'Returns the requests of the workspace by day, or without days its request log.',
    query: closed({
      days: queryOneOf(USAGE_DAYS).optional().describe('The number of days, today included.'),
      key_id: uuidInput().optional().describe('The id of one key, a UUID. Default: all keys, revoked ones included.'),
      limit: queryInteger({ min: 1, max: 200 }).optional().describe('Rows of the request log. Default: 50.'),
      cursor: stringInput('must be the next of the previous page')
        .optional()
        .describe('The `next` of the previous page.'),
    }).check(notWithDays('limit'), notWithDays('cursor')),
    output: z.union([UsageByDay, RequestLog]),
  },
});
