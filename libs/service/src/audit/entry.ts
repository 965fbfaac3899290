import { createHash } from 'node:crypto';
import type { AuditEntry } from '@cds/contracts';
import { canonicalJson } from '../pure/canonical-json.js';

/** The version of the form that entries are hashed in. A verifier refuses others. */
export const AUDIT_FORMAT = 1 as const;

/** What the first entry of a chain names as its previous one. */
export const NO_PREVIOUS = '0'.repeat(64);

export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** The hash of an entry: SHA-256 of the canonical JSON of every other field (docs/reliability.md#audit-format). */
export const hashOf = ({ hash: _own, ...entry }: Omit<AuditEntry, 'hash'> & { hash?: string }): string =>
  sha256(canonicalJson(entry));
