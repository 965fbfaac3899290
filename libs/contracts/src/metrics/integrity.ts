import { z } from 'zod';
import { Count, publicText, redactedText, Timestamp } from '../fields.js';
import { closed, oneOf, uuidInput } from '../input.js';
import { defineOperations } from '../operation.js';
import { brandReads, sandboxWrites } from '../operation-kinds.js';

/** A post as it was seen at one moment; texts and ids of media are third-party text. */
const SeenPost = z
  .object({
    digest: publicText().meta({ description: 'SHA-256 of what was seen, in hex.' }),
    present: z.boolean(),
    text: redactedText().nullable(),
    media_ids: z.array(publicText()),
    disclosure: redactedText().nullable(),
    views: Count.nullable(),
    likes: Count.nullable(),
  })
  .meta({ id: 'SeenPost' });

export const INTEGRITY_KINDS = [
  'accepted',
  'withdrawn',
  'deleted',
  'restored',
  'edited',
  'disclosure_hidden',
  'disclosure_shown',
  'inflated',
] as const;
export type IntegrityKind = (typeof INTEGRITY_KINDS)[number];

/** A change of an accepted post, or its acceptance (docs/domain/orders.md#integrity). */
export const IntegrityItem = z
  .object({
    at: Timestamp,
    kind: z.enum(INTEGRITY_KINDS),
    before: SeenPost.nullable(),
    after: SeenPost.nullable(),
    seq: z.int().min(1),
    previous_hash: publicText().nullable(),
    hash: publicText().meta({ description: 'SHA-256 over this entry and the hash of the one before it.' }),
  })
  .meta({ id: 'IntegrityItem' });

const POST_CHANGES = ['edit', 'delete', 'restore', 'hide_disclosure', 'inflate'] as const;

export const integrityOperations = defineOperations('metrics', {
  line_integrity: {
    ...brandReads('evidence:read'),
    rest: { method: 'GET', path: '/lines/{id}/integrity', root: 'v1' },
    summary: 'Lists what was seen of the post of a line and how it changed, oldest first.',
    params: closed({ id: uuidInput().describe('The line, by its id in campaign_status.') }),
    output: z.object({ items: z.array(IntegrityItem), unbroken: z.boolean() }),
  },
  sandbox_line_post_change: {
    ...sandboxWrites('campaigns:write'),
    rest: { method: 'POST', path: '/api/sandbox/lines/{id}/post-change', root: 'app' },
    summary: 'Makes the fake network of a sandbox change the post of a line.',
    params: closed({ id: uuidInput().describe('The line.') }),
    body: closed({ change: oneOf(POST_CHANGES) }),
    output: z.object({ items: z.array(IntegrityItem), unbroken: z.boolean() }),
    conflicts: ['bad_state'],
  },
});
