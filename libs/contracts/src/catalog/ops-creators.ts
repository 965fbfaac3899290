import { z } from 'zod';
import { CalendarDate, Cents, Count, paidText, publicText, redactedText, Timestamp, Uuid } from '../fields.js';
import { booleanInput, closed, codePoints, lineInput, oneOf, saying, uuidInput } from '../input.js';
import { defineOperations } from '../operation.js';
import { creatorId, list, onCreator, paging, readBy, reason, segmentId, written } from './operator-inputs.js';
import { CREATOR_STATUSES, FORMATS, REACH_BANDS } from './words.js';

const CREATOR_QUEUES = ['vetting', 'inactive', 'refresh_failed', 'unpriced'] as const;

export type CreatorQueue = (typeof CREATOR_QUEUES)[number];

/** A unit as operators see it. The net price never leaves catalog. */
const OpsUnit = z
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

/** A creator as operators see it, with its identity (docs/domain/operators.md#operators). */
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

const share = () => {
  const error = saying('must be a number from 0 to 1');
  return z.number({ error }).min(0, { error }).max(1, { error });
};

const act = {
  ...written,
  params: creatorId(),
  body: closed({ reason: reason() }),
  output: OpsCreator,
  conflicts: ['bad_state'],
} as const;

export const opsCreatorOperations = defineOperations('catalog', {
  ops_creators_list: {
    ...readBy,
    rest: { method: 'GET', path: '/api/ops/creators', root: 'app' },
    summary: 'Lists creators of every status with their handles, filtered by status, queue or text.',
    query: closed({
      status: oneOf(CREATOR_STATUSES).optional(),
      queue: oneOf(CREATOR_QUEUES).optional(),
      q: codePoints({ max: 100 }).optional().describe('Text in the name or handle.'),
      ...paging(),
    }),
    output: z.object({ creators: z.array(OpsCreator), next: publicText().nullable() }),
  },
  ops_creator_get: {
    ...readBy,
    rest: { method: 'GET', path: '/api/ops/creators/{id}', root: 'app' },
    summary: 'Returns one creator with identity, switches, units and the checks of the newest sync.',
    params: creatorId(),
    output: OpsCreator,
  },
  ops_creator_change: {
    ...written,
    rest: { method: 'PATCH', path: '/api/ops/creators/{id}', root: 'app' },
    summary: 'Pins segments or language, sets notes, or excludes a creator from automatic plans.',
    params: creatorId(),
    body: closed({
      segments: list(closed({ id: segmentId(), weight: share() }), 34)
        .nullable()
        .optional(),
      language: lineInput({ max: 60 }).nullable().optional(),
      manual_only: booleanInput().optional(),
      notes: codePoints({ max: 4_000 }).nullable().optional(),
      reason: reason(),
    }),
    output: OpsCreator,
    conflicts: ['bad_state'],
  },
  ops_creator_vet: {
    ...written,
    rest: onCreator('/vet'),
    summary: 'Sets the status of a creator.',
    params: creatorId(),
    body: closed({ decision: oneOf(CREATOR_STATUSES), reason: reason() }),
    output: OpsCreator,
    conflicts: ['bad_state'],
  },
  ops_creator_pause: {
    ...act,
    rest: onCreator('/pause'),
    summary: 'Hides a creator from every list.',
  },
  ops_creator_resume: {
    ...act,
    rest: onCreator('/resume'),
    summary: 'Ends the pause of a creator.',
  },
  ops_creator_exclude: {
    ...act,
    rest: onCreator('/exclude'),
    summary: 'Takes a creator off sale.',
  },
  ops_creator_include: {
    ...act,
    rest: onCreator('/include'),
    summary: 'Puts an excluded creator back on sale.',
  },
  ops_creator_flag: {
    ...act,
    rest: onCreator('/flag'),
    summary: 'Flags a creator as inactive until it is unflagged, regardless of syncs.',
  },
  ops_creator_unflag: {
    ...act,
    rest: onCreator('/unflag'),
    summary: 'Removes an inactive flag, and overrides one that a sync has set.',
  },
  ops_creator_merge: {
    ...written,
    rest: onCreator('/merge'),
    summary: 'Merges a duplicate creator into the other one. Its units stay, off sale.',
    params: creatorId(),
    body: closed({ into: uuidInput(), reason: reason() }),
    output: OpsCreator,
    conflicts: ['bad_state'],
  },
  ops_creator_erase: {
    ...act,
    rest: onCreator('/erase'),
    role: 'lead',
    summary:
      'Permanently erases a creator’s handle, texts, picture and evidence. Units and prices stay for existing plan lines.',
  },
});
