import { z } from 'zod';
import { Count, publicText, Timestamp, Uuid } from './fields.js';
import { closed } from './input.js';
import { definePerService } from './operation.js';
import { gatewayReads } from './operation-kinds.js';
import { SERVICES, type ServiceName } from './service.js';

/** A sealed audit entry (docs/reliability.md#audit-format); the chain with an empty workspace holds the rest. */
export const AuditEntry = z
  .object({
    format: z.literal(1),
    service: z.enum(SERVICES),
    workspace: publicText(),
    /** The place in the chain, from 1. */
    seq: z.int().min(1),
    /** The hash of the entry before it; 64 zeros for the first. */
    prev: publicText(),
    id: Uuid,
    at: Timestamp,
    /** `key:`, `person:` or `operator:` with an id, or `system`. */
    actor: publicText(),
    action: publicText(),
    object: publicText(),
    /** SHA-256 of the reason that an operator gave. */
    reason_hash: publicText().nullable(),
    payload_hash: publicText(),
    /** SHA-256 of the canonical JSON (RFC 8785) of all fields above. */
    hash: publicText(),
  })
  .meta({ id: 'AuditEntry' });
export type AuditEntry = z.infer<typeof AuditEntry>;

/** A signed statement that a chain had this hash at this place (docs/reliability.md#audit-format). */
export const AuditCheckpoint = z
  .object({
    kind: z.literal('checkpoint'),
    format: z.literal(1),
    service: z.enum(SERVICES),
    workspace: publicText(),
    seq: Count,
    hash: publicText(),
    at: Timestamp,
    /** The Ed25519 public key, 32 bytes in base64url, and its signature over the canonical JSON of all other fields. */
    key: publicText(),
    signature: publicText(),
  })
  .meta({ id: 'AuditCheckpoint' });
export type AuditCheckpoint = z.infer<typeof AuditCheckpoint>;

/** The signed end of an export: what the file holds of each chain. `next` is the cursor of the file that follows. */
export const AuditExportEnd = z
  .object({
    kind: z.literal('end'),
    format: z.literal(1),
    workspace: publicText(),
    at: Timestamp,
    chains: z.array(
      z.object({
        service: z.enum(SERVICES),
        /** The first and last places in this file, the hash before the first, and the hash of the last. */
        first: z.int().min(1),
        prev: publicText(),
        last: z.int().min(1),
        hash: publicText(),
        /** The places whose checkpoints this file holds. */
        checkpoints: z.array(z.int().min(1)),
      }),
    ),
    next: publicText().nullable(),
    key: publicText(),
    signature: publicText(),
  })
  .meta({ id: 'AuditExportEnd' });
export type AuditExportEnd = z.infer<typeof AuditExportEnd>;

/** An entry as its service lists it: with its place in the list, and the reason itself. */
const ListedEntry = AuditEntry.extend({ place: z.int().min(1), reason: publicText().nullable() });
export type ListedEntry = z.infer<typeof ListedEntry>;

const Place = z.int().min(0);

/** The operations on a service's own audit, the same in every service. The gateway calls them. */
export const auditOperations = <const S extends Exclude<ServiceName, 'gateway'>>(service: S) =>
  definePerService(service, {
    audit: {
      ...gatewayReads,
      summary: 'Lists sealed entries before a place, newest first: of one chain, or of all chains of this service.',
      body: closed({
        workspace: z.string().nullable(),
        before: Place.nullable(),
        limit: z.int().min(1).max(201),
      }),
      output: z.object({ entries: z.array(ListedEntry) }),
    },
    audit_chain: {
      ...gatewayReads,
      summary: 'Reads sealed entries of one chain after a place, oldest first, with the checkpoints of those places.',
      body: closed({ workspace: z.string(), after: Place, limit: z.int().min(1).max(1_000) }),
      output: z.object({ entries: z.array(AuditEntry), checkpoints: z.array(AuditCheckpoint) }),
    },
  });
