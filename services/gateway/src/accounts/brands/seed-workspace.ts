import { randomUUID } from 'node:crypto';
import { type MandateInput, SCOPES } from '@cds/contracts';
import { namedUuid } from '@cds/service/named-uuid';
import { DAY_MS, MAX_MANDATE_DAYS, OWN_AGENT } from '../keys/domain/constants.js';
import { nextMandate } from '../keys/domain/mandate.js';
import { acceptTerms } from '../keys/domain/terms.js';
import type { Peppers } from '../keys/key-format.js';
import { keyRow } from '../keys/key-rows.js';
import { acceptanceRow, versionRow } from '../keys/mandate-changes.js';
import type { KeyRow } from '../keys/store/keys.js';
import type { AcceptanceRow, MandateVersionRow } from '../keys/store/mandates.js';
import { SEEDED_KEYS, seededMandate } from './domain/seeded-keys.js';
import type { WorkspaceRow } from './store/workspaces.js';

export type CurrentTerms = { version: string; textSha256: string };

export type MadeKeys = {
  keys: KeyRow[];
  versions: MandateVersionRow[];
  acceptances: AcceptanceRow[];
  texts: Map<string, string>;
};

const SEEDER = { person: 'development', email: 'owner@example.com', address: null, userAgent: null };

export const newWorkspace = (
  brandId: string,
  kind: WorkspaceRow['kind'],
  number: number,
  name: string,
  now: Date,
  live: string = randomUUID(),
): WorkspaceRow => ({
  _id: kind === 'live' ? live : randomUUID(),
  kind,
  name,
  brand_id: brandId,
  reads_ws: live,
  number,
  offset_ms: 0,
  clock_version: 0,
  suspended: false,
  keys_rev: 0,
  suspension_version: 0,
  created_at: now,
});

const mandated = (
  key: KeyRow,
  mandate: MandateInput,
  terms: CurrentTerms | null,
  now: Date,
  actor: string = SEEDER.person,
): Pick<MadeKeys, 'versions' | 'acceptances'> => {
  const set = nextMandate(key, mandate, now);
  const versions = [versionRow(key, set.version, { cause: 'set', mandate: set, actor, at: now })];
  if (terms === null || key.own) return { versions, acceptances: [] };

  const accepted = acceptTerms(set, set.version, { version: terms.version, email: SEEDER.email }, terms.version, now);
  if ('refusal' in accepted) return { versions, acceptances: [] };
  const next = accepted.mandate;
  versions.push(versionRow(key, next.version, { cause: 'terms_accepted', mandate: next, actor, at: now }));
  return { versions, acceptances: [acceptanceRow(key, next.version, terms, SEEDER, now)] };
};

const inForce = (key: KeyRow, versions: readonly MandateVersionRow[]): KeyRow => {
  const newest = versions.at(-1);
  return newest === undefined ? key : { ...key, mandate: newest.mandate, mandate_version: newest.version };
};

/** The six seeded keys of a workspace (docs/domain/operators.md#development-brands). */
export const seedKeys = (
  peppers: Peppers,
  workspace: WorkspaceRow,
  terms: CurrentTerms,
  networkNow: Date,
): MadeKeys => {
  const made: MadeKeys = { keys: [], versions: [], acceptances: [], texts: new Map() };
  const now = new Date(networkNow.getTime() + workspace.offset_ms);
  for (const seeded of SEEDED_KEYS) {
    const wanted = { name: seeded.name, scopes: seeded.scopes, expiresAt: null, createdBy: SEEDER.person, own: false };
    const { row, text } = keyRow(peppers, workspace, wanted, networkNow);
    const input = seeded.mandate === null ? null : seededMandate(seeded.mandate, now);
    const { versions, acceptances } =
      input === null ? { versions: [], acceptances: [] } : mandated(row, input, terms, now);
    made.keys.push(inForce(row, versions));
    made.versions.push(...versions);
    made.acceptances.push(...acceptances);
    made.texts.set(row.key_id, text);
  }
  return made;
};

/** A new sandbox's test key: every scope and the seeded mandate. It signs once a person has accepted the terms. */
export const testKey = (peppers: Peppers, workspace: WorkspaceRow, actor: string, now: Date): MadeKeys => {
  const keyId = namedUuid('test key', workspace._id);
  const wanted = { name: 'test', scopes: SCOPES, expiresAt: null, createdBy: actor, own: false, keyId };
  const { row, text } = keyRow(peppers, workspace, wanted, now);
  const { versions } = mandated(row, seededMandate('signing', now), null, now, actor);
  return { keys: [inForce(row, versions)], versions, acceptances: [], texts: new Map([[keyId, text]]) };
};

/** The workspace's own agent key, under which the app acts for a signed-in person (docs/domain/orders.md#mandate). */
export const ownAgentKey = (
  peppers: Peppers,
  workspace: WorkspaceRow,
  now: Date,
  actor: string = SEEDER.person,
): MadeKeys => {
  const keyId = namedUuid('own agent key', workspace._id);
  const wanted = { name: 'app', scopes: SCOPES, expiresAt: null, createdBy: 'system', own: true, keyId };
  const { row } = keyRow(peppers, workspace, wanted, now);
  const input: MandateInput = {
    ...OWN_AGENT,
    channels: ['x_creators'],
    may_approve: true,
    expires_at: new Date(now.getTime() + MAX_MANDATE_DAYS * DAY_MS).toISOString(),
  };
  const { versions } = mandated(row, input, null, now, actor);
  return { keys: [inForce(row, versions)], versions, acceptances: [], texts: new Map() };
};
