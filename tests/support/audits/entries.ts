import { type Sealed, withoutEntry } from '@cds/billing/testing';
import { SERVICES } from '@cds/contracts';
import type { Databases } from './audit.js';

const key = (...words: readonly string[]): string => words.join(' ');

/** A key that somebody reported is revoked by the report, and a child key is made by its parent. */
const SAME: Readonly<Record<string, string>> = { 'key.reported': 'key.revoked', 'key.delegated': 'key.made' };

/**
 * I53: every signature, mandate change and key change has its audit entry; money events have them by billing's audit.
 * Each sentence names what has none. Entries commit with their acts, so they are read after them.
 */
export const auditEntries = async (databases: Databases): Promise<string[]> => {
  const acts = [...(await signed(databases)), ...(await keyActs(databases))];
  const entries = (
    await Promise.all(
      SERVICES.map((service) => databases.of(service).collection<Sealed & { _id: never }>('audit').find().toArray()),
    )
  ).flat();
  return withoutEntry(
    acts,
    entries.map(({ action, ...entry }) => ({ ...entry, action: SAME[action] ?? action })),
  );
};

const signed = async (databases: Databases): Promise<string[]> => {
  type Plan = { _id: string; ws: string; status: string };
  const plans = await databases.of('planning').collection<Plan>('plans').find({ status: 'approved' }).toArray();
  return plans.map(({ _id, ws }) => key(ws, 'plan.sign', _id));
};

type AuditedKey = {
  _id: string;
  ws: string;
  key_id: string;
  revoked_at: Date | null;
  parent: { key_id: string } | null;
};
type AuditedVersion = { ws: string; key_id: string; cause: string };

/** What happened to keys. A child ends with its parent by the parent's entry (docs/domain/access.md#child-keys). */
const actsOfKeys = (keys: readonly AuditedKey[], versions: readonly AuditedVersion[]): string[] => {
  const revoked = keys.filter(({ revoked_at }) => revoked_at !== null);
  const ended = new Set(revoked.map(({ key_id }) => key_id));
  return [
    ...keys.map(({ ws, key_id }) => key(ws, 'key.made', key_id)),
    ...revoked
      .filter(({ parent }) => parent === null || !ended.has(parent.key_id))
      .map(({ ws, key_id }) => key(ws, 'key.revoked', key_id)),
    ...versions.map(({ ws, key_id, cause }) => key(ws, `mandate.${cause}`, key_id)),
  ];
};

const keyActs = async (databases: Databases): Promise<string[]> => {
  const gateway = databases.of('gateway');
  return actsOfKeys(
    await gateway.collection<AuditedKey>('keys').find().toArray(),
    await gateway.collection<AuditedVersion & { _id: never }>('mandates').find().toArray(),
  );
};
