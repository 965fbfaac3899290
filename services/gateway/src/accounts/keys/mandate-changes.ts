import { randomUUID } from 'node:crypto';
import type { Audited, Emitted } from '@cds/service';
import type { StoredMandate } from './domain/mandate.js';
import type { KeyChange, KeyRow } from './store/keys.js';
import type { AcceptanceRow, MandateVersionRow } from './store/mandates.js';

type Identified = Pick<KeyRow, 'ws' | 'key_id' | 'own'>;
type Versioned = Pick<KeyRow, 'ws' | 'key_id' | 'parent'>;

export const versionRow = (
  { ws, key_id, parent }: Versioned,
  version: number,
  change: { cause: MandateVersionRow['cause']; mandate: StoredMandate | null; actor: string; at: Date },
): MandateVersionRow => ({
  _id: randomUUID(),
  ws,
  key_id,
  ...(parent !== null && { parent_id: parent.key_id }),
  version,
  ...change,
});

/** The event by which billing raises its gate if the call is lost. */
export const mandateChanged = (key: Identified, version: number): Extract<Emitted, { name: 'mandate.changed' }> => ({
  name: 'mandate.changed',
  payload: { aggregate: key.key_id, version, workspace: key.ws, key_id: key.key_id },
});

export const mandateChange = (key: Identified, version: number, mandate: StoredMandate | null): KeyChange => ({
  kind: 'mandate',
  ws: key.ws,
  key_id: key.key_id,
  version,
  mandate,
});

export const mandateAudit = (row: MandateVersionRow): Audited => ({
  ws: row.ws,
  actor: row.actor,
  action: `mandate.${row.cause}`,
  object: row.key_id,
  payload: { version: row.version, mandate: auditable(row.mandate) },
});

const auditable = (mandate: StoredMandate | null): unknown =>
  mandate === null ? null : (JSON.parse(JSON.stringify(mandate)) as unknown);

export type AcceptedBy = { person: string; email: string; address: string | null; userAgent: string | null };

/** The record of an acceptance (docs/domain/orders.md#brand-terms). */
export const acceptanceRow = (
  key: Identified,
  mandateVersion: number,
  terms: { version: string; textSha256: string },
  by: AcceptedBy,
  at: Date,
): AcceptanceRow => ({
  _id: randomUUID(),
  ws: key.ws,
  key_id: key.key_id,
  own: key.own,
  mandate_version: mandateVersion,
  terms_version: terms.version,
  text_sha256: terms.textSha256,
  person: by.person,
  email: by.email,
  at,
  address: by.address,
  user_agent: by.userAgent,
});
