import { z } from 'zod';
import { CalendarDate, Cents, Count, paidText, publicText, redactedText, Timestamp, Uuid } from '../fields.js';
import {
  booleanInput,
  closed,
  codePoints,
  dateInput,
  instantInput,
  integerInput,
  oneOf,
  saying,
  uuidInput,
} from '../input.js';
import { defineOperation } from '../operation.js';
import { queryBoolean, queryInteger } from '../query.js';
import { SEGMENT_IDS } from './segments.js';
import { CREATOR_STATUSES, FORMATS, REACH_BANDS } from './words.js';

/** The queues that operators work through. */
export const CREATOR_QUEUES = ['vetting', 'inactive', 'refresh_failed', 'unpriced'] as const;
export type CreatorQueue = (typeof CREATOR_QUEUES)[number];

const LIST_MAX = 200;
const IMPORT_MAX_BYTES = 10 * 1024 * 1024;
const ANALYTICS_MAX_BYTES = 10 * 1024 * 1024;
const ASK_MAX_CENTS = 75_000_000;

/** A unit as operators see it; the net ask never leaves catalog. */
export const OpsUnit = z
  .object({
    unit_id: Uuid,
    format: z.enum(FORMATS),
    label: redactedText(),
    deliverable: redactedText(),
    price_cents: Cents.nullable(),
    price_as_of: CalendarDate.nullable(),
    price_method: z.enum(['set_price', 'agreed_rate', 'stated']).nullable(),
    expires_on: CalendarDate.nullable(),
    buyable: z.boolean(),
  })
  .meta({ id: 'OpsUnit' });

/** A creator as operators see it, with its identity (domain 4-doors 4). */
export const OpsCreator = z
  .object({
    id: Uuid,
    network_id: paidText(),
    handle: paidText().nullable(),
    url: paidText().nullable(),
    name: redactedText().nullable(),
    bio: redactedText().nullable(),
    status: z.enum(CREATOR_STATUSES),
    status_reason: publicText(),
    decided_at: Timestamp.nullable(),
    active: z.boolean(),
    flag_inactive: z.boolean(),
    flag_pinned: z.boolean(),
    excluded: z.boolean(),
    exclusion_reason: redactedText().nullable(),
    manual_only: z.boolean(),
    erased_at: Timestamp.nullable(),
    merged_into: Uuid.nullable(),
    listed: z.boolean(),
    bookable: z.boolean(),
    followers: Count.nullable(),
    reach_band: z.enum(REACH_BANDS),
    country: redactedText().nullable(),
    language: redactedText().nullable(),
    segments: z.array(z.object({ id: publicText(), weight: z.number(), pinned: z.boolean() })),
    notes: redactedText().nullable(),
    units: z.array(OpsUnit),
    views_source: z.enum(['network', 'creator']),
    synced_at: Timestamp.nullable(),
    refresh_failed_at: Timestamp.nullable(),
    vetting: z
      .object({
        on: CalendarDate,
        passed: Count,
        of: Count,
        proposal: z.enum(['approved', 'borderline', 'declined']),
        checks: z.array(
          z.object({
            check: publicText(),
            result: z.enum(['pass', 'warn', 'fail']),
            figure: z.union([z.number(), publicText(), z.boolean(), z.null()]),
          }),
        ),
      })
      .nullable(),
  })
  .meta({ id: 'OpsCreator' });
export type OpsCreator = z.infer<typeof OpsCreator>;

/**
 * What an import did, row by row; `done` is false while a large one goes on behind its answer, and `id` is what to ask for
 * then. `failed`: it ended early, and what it had taken stays (domain 1-network 12).
 */
export const ImportAnswer = z
  .object({
    id: Uuid,
    created: Count,
    updated: Count,
    unchanged: Count,
    refused: z.array(z.object({ row: Count, field: publicText(), message: publicText() })),
    dry_run: z.boolean(),
    done: z.boolean(),
    failed: z.boolean(),
  })
  .meta({ id: 'ImportAnswer' });

/** A launch that the team tracks; the handle is the brand's (domain 1-network 7). */
export const Launch = z
  .object({
    id: Uuid,
    project: publicText(),
    title: publicText().nullable(),
    brand: z.object({
      name: publicText(),
      handle: publicText().nullable(),
      site: publicText().nullable(),
      avatar_url: publicText().nullable(),
    }),
    date: CalendarDate,
    segments: z.array(publicText()),
    created_at: Timestamp,
    updated_at: Timestamp,
  })
  .meta({ id: 'Launch' });
export type Launch = z.infer<typeof Launch>;

const OpsPrice = z
  .object({
    creator_id: Uuid,
    handle: paidText().nullable(),
    name: redactedText().nullable(),
    unit_id: Uuid,
    format: z.enum(FORMATS),
    price_cents: Cents,
    price_as_of: CalendarDate,
    price_method: z.enum(['set_price', 'agreed_rate', 'stated']),
    expires_on: CalendarDate.nullable(),
  })
  .meta({ id: 'OpsPrice' });

const ASK_STATES = ['requested', 'priced', 'closed'] as const;

/** A brand's ask for a price, as operators work through them (domain 1-network 11). */
export const OpsPriceAsk = z
  .object({
    id: Uuid,
    workspace: Uuid,
    creator_id: Uuid,
    handle: paidText().nullable(),
    campaign_id: Uuid.nullable(),
    status: z.enum(ASK_STATES),
    requested_at: Timestamp,
    answered_at: Timestamp.nullable(),
  })
  .meta({ id: 'OpsPriceAsk' });
export type OpsPriceAsk = z.infer<typeof OpsPriceAsk>;

const reason = () => codePoints({ max: 500 }).describe('Why; kept in the audit.');
const paging = () => ({
  cursor: codePoints({ max: 100 }).optional().describe('The former answer’s next.'),
  limit: queryInteger({ min: 1, max: LIST_MAX }).optional().describe('50 by default.'),
});
const creatorId = () => closed({ id: uuidInput() });

const segmentId = () => {
  const error = saying('must be a known audience segment id');
  return z.string({ error }).refine((id) => SEGMENT_IDS.has(id), { error });
};
const share = () => {
  const error = saying('must be a number from 0 to 1');
  return z.number({ error }).min(0, { error }).max(1, { error });
};
const list = <T extends z.ZodType>(item: T, max: number) => {
  const error = saying(`must be a list of at most ${max}`);
  return z.array(item, { error }).max(max, { error });
};

const upload = () => ({
  dry_run: queryBoolean().optional().describe('true reports what would happen and writes nothing.'),
  as_of: instantInput()
    .optional()
    .describe('When the facts were true; X API and CSV files do not state it themselves.'),
  reason: reason().optional(),
});

/** What every write of an operator's on one creator has in common. */
const onCreator = <const P extends string>(path: P) =>
  ({ method: 'POST', path: `/api/ops/creators/{id}${path}`, root: 'app' }) as const;

const written = {
  service: 'catalog',
  audience: 'operator',
  scope: null,
  role: 'network',
  effect: 'write',
  idempotency: 'required',
} as const;
const readBy = { service: 'catalog', audience: 'operator', scope: null, role: 'network', effect: 'read' } as const;

const launchFields = () => ({
  project: codePoints({ max: 120 }),
  title: codePoints({ max: 200 }).nullable().optional(),
  brand: closed({
    name: codePoints({ max: 120 }),
    handle: codePoints({ max: 16 }).nullable().optional(),
    site: codePoints({ max: 200 }).nullable().optional(),
    avatar_url: codePoints({ max: 500 }).nullable().optional(),
  }),
  date: dateInput(),
  segments: list(segmentId(), 10).optional(),
});

/** The operator's operations on creators, prices and launches (domain 4-doors 4). */
export const catalogOperators = {
  ops_creators_list: defineOperation({
    ...readBy,
    name: 'ops_creators_list',
    rest: { method: 'GET', path: '/api/ops/creators', root: 'app' },
    summary: 'Creators of every status, with their handles, by status, queue or free text.',
    query: closed({
      status: oneOf(CREATOR_STATUSES).optional(),
      queue: oneOf(CREATOR_QUEUES).optional(),
      q: codePoints({ max: 100 }).optional().describe('Part of a name or handle.'),
      ...paging(),
    }),
    output: z.object({ creators: z.array(OpsCreator), next: publicText().nullable() }),
  }),
  ops_creator_get: defineOperation({
    ...readBy,
    name: 'ops_creator_get',
    rest: { method: 'GET', path: '/api/ops/creators/{id}', root: 'app' },
    summary: 'One creator with identity, switches, units and the checks of the newest sync.',
    params: creatorId(),
    output: OpsCreator,
  }),
  ops_creators_import: defineOperation({
    ...written,
    name: 'ops_creators_import',
    rest: { method: 'POST', path: '/api/ops/creators/import', root: 'app' },
    summary:
      'Imports creators from neutral JSON or X API v2 JSON; reports row by row. Answers within 18 s: with done false it goes on, and GET /api/ops/creators/imports/{id} tells how far it is. Sent again, what was taken counts as unchanged.',
    query: closed(upload()),
    upload: { maxBytes: IMPORT_MAX_BYTES, types: ['json', 'csv'] },
    output: ImportAnswer,
  }),
  ops_import_get: defineOperation({
    ...readBy,
    name: 'ops_import_get',
    rest: { method: 'GET', path: '/api/ops/creators/imports/{id}', root: 'app' },
    summary: 'How far an import is, for a week; asking changes nothing.',
    params: creatorId(),
    output: ImportAnswer,
  }),
  ops_creator_facts: defineOperation({
    ...written,
    name: 'ops_creator_facts',
    rest: onCreator('/facts'),
    summary:
      'Imports facts of one creator: X analytics CSV, or JSON that speaks of this creator. With done false it goes on, as an import of creators does.',
    params: creatorId(),
    query: closed(upload()),
    upload: { maxBytes: ANALYTICS_MAX_BYTES, types: ['json', 'csv'] },
    output: ImportAnswer,
    conflicts: ['bad_state'],
  }),
  ops_creator_change: defineOperation({
    ...written,
    name: 'ops_creator_change',
    rest: { method: 'PATCH', path: '/api/ops/creators/{id}', root: 'app' },
    summary: 'Pins segments or language, sets notes, and keeps a creator out of automatic plans.',
    params: creatorId(),
    body: closed({
      segments: list(closed({ id: segmentId(), weight: share() }), 34)
        .nullable()
        .optional(),
      language: codePoints({ max: 60 }).nullable().optional(),
      manual_only: booleanInput().optional(),
      notes: codePoints({ max: 4_000 }).nullable().optional(),
      reason: reason(),
    }),
    output: OpsCreator,
    conflicts: ['bad_state'],
  }),
  ops_creator_vet: defineOperation({
    ...written,
    name: 'ops_creator_vet',
    rest: onCreator('/vet'),
    summary: 'Decides the status of a creator.',
    params: creatorId(),
    body: closed({ decision: oneOf(CREATOR_STATUSES), reason: reason() }),
    output: OpsCreator,
    conflicts: ['bad_state'],
  }),
  ops_creator_pause: defineOperation({
    ...written,
    name: 'ops_creator_pause',
    rest: onCreator('/pause'),
    summary: 'Takes a creator off every list.',
    params: creatorId(),
    body: closed({ reason: reason() }),
    output: OpsCreator,
    conflicts: ['bad_state'],
  }),
  ops_creator_resume: defineOperation({
    ...written,
    name: 'ops_creator_resume',
    rest: onCreator('/resume'),
    summary: 'Puts a paused creator back.',
    params: creatorId(),
    body: closed({ reason: reason() }),
    output: OpsCreator,
    conflicts: ['bad_state'],
  }),
  ops_creator_exclude: defineOperation({
    ...written,
    name: 'ops_creator_exclude',
    rest: onCreator('/exclude'),
    summary: 'Takes a creator off sale.',
    params: creatorId(),
    body: closed({ reason: reason() }),
    output: OpsCreator,
    conflicts: ['bad_state'],
  }),
  ops_creator_include: defineOperation({
    ...written,
    name: 'ops_creator_include',
    rest: onCreator('/include'),
    summary: 'Puts an excluded creator back on sale.',
    params: creatorId(),
    body: closed({ reason: reason() }),
    output: OpsCreator,
    conflicts: ['bad_state'],
  }),
  ops_creator_flag: defineOperation({
    ...written,
    name: 'ops_creator_flag',
    rest: onCreator('/flag'),
    summary: 'Flags a creator as inactive until it is unflagged, whatever syncs find.',
    params: creatorId(),
    body: closed({ reason: reason() }),
    output: OpsCreator,
    conflicts: ['bad_state'],
  }),
  ops_creator_unflag: defineOperation({
    ...written,
    name: 'ops_creator_unflag',
    rest: onCreator('/unflag'),
    summary: 'Ends a pinned flag, or holds a flag off that a sync has set.',
    params: creatorId(),
    body: closed({ reason: reason() }),
    output: OpsCreator,
    conflicts: ['bad_state'],
  }),
  ops_creator_merge: defineOperation({
    ...written,
    name: 'ops_creator_merge',
    rest: onCreator('/merge'),
    summary: 'Merges a creator that is held twice into the other one; its units stay, off sale.',
    params: creatorId(),
    body: closed({ into: uuidInput(), reason: reason() }),
    output: OpsCreator,
    conflicts: ['bad_state'],
  }),
  ops_creator_erase: defineOperation({
    ...written,
    name: 'ops_creator_erase',
    rest: onCreator('/erase'),
    role: 'lead',
    summary:
      'Erases a creator for good: handle, texts, picture and evidence; units and prices stay for lines of plans.',
    params: creatorId(),
    body: closed({ reason: reason() }),
    output: OpsCreator,
    conflicts: ['bad_state'],
  }),
  ops_price_set: defineOperation({
    ...written,
    name: 'ops_price_set',
    rest: onCreator('/prices'),
    summary: 'Adds a price row; the newest one counts, and a creator’s ask never replaces a price that the team set.',
    params: creatorId(),
    body: closed({
      format: oneOf(FORMATS),
      ask_cents: integerInput({ min: 1, max: ASK_MAX_CENTS }).describe('Net, in US cents.'),
      source: oneOf(['team', 'creator']),
      as_of: dateInput(),
      team_set: booleanInput().optional().describe('true: the team’s own price, which does not expire.'),
      reason: reason(),
    }),
    output: OpsCreator,
    conflicts: ['bad_state'],
    success: 201,
  }),
  ops_prices_list: defineOperation({
    ...readBy,
    name: 'ops_prices_list',
    rest: { method: 'GET', path: '/api/ops/prices', root: 'app' },
    summary: 'Current prices of listed creators, the soonest to expire first.',
    query: closed({
      expiring_days: queryInteger({ min: 0, max: 365 })
        .optional()
        .describe('Only those that expire within so many days.'),
      ...paging(),
    }),
    output: z.object({ prices: z.array(OpsPrice), next: publicText().nullable() }),
  }),
  ops_price_asks_list: defineOperation({
    ...readBy,
    name: 'ops_price_asks_list',
    rest: { method: 'GET', path: '/api/ops/price-asks', root: 'app' },
    summary: 'Price asks of every brand, the oldest first.',
    query: closed({ status: oneOf(ASK_STATES).optional(), ...paging() }),
    output: z.object({ price_asks: z.array(OpsPriceAsk), next: publicText().nullable() }),
  }),
  ops_price_ask_close: defineOperation({
    ...written,
    name: 'ops_price_ask_close',
    rest: { method: 'POST', path: '/api/ops/price-asks/{id}/close', root: 'app' },
    summary: 'Ends an open price ask without a price.',
    params: closed({ id: uuidInput() }),
    body: closed({ reason: reason() }),
    output: OpsPriceAsk,
    conflicts: ['bad_state'],
  }),
  ops_launches_list: defineOperation({
    ...readBy,
    name: 'ops_launches_list',
    rest: { method: 'GET', path: '/api/ops/launches', root: 'app' },
    summary: 'The launches that the team tracks, newest first.',
    query: closed(paging()),
    output: z.object({ launches: z.array(Launch), next: publicText().nullable() }),
  }),
  ops_launch_add: defineOperation({
    ...written,
    name: 'ops_launch_add',
    rest: { method: 'POST', path: '/api/ops/launches', root: 'app' },
    summary: 'Tracks a launch.',
    body: closed({ ...launchFields(), reason: reason() }),
    output: Launch,
    success: 201,
  }),
  ops_launch_change: defineOperation({
    ...written,
    name: 'ops_launch_change',
    rest: { method: 'PATCH', path: '/api/ops/launches/{id}', root: 'app' },
    summary: 'Changes a tracked launch; fields left out stay.',
    params: closed({ id: uuidInput() }),
    body: closed({
      project: launchFields().project.optional(),
      title: launchFields().title,
      brand: launchFields().brand.optional(),
      date: launchFields().date.optional(),
      segments: launchFields().segments,
      reason: reason(),
    }),
    output: Launch,
  }),
  ops_launch_remove: defineOperation({
    ...written,
    name: 'ops_launch_remove',
    rest: { method: 'DELETE', path: '/api/ops/launches/{id}', root: 'app' },
    summary: 'Stops tracking a launch.',
    params: closed({ id: uuidInput() }),
    output: z.object({ removed: z.boolean() }),
  }),
} as const;
