import { SERVICES } from '@cds/contracts';
import type { Databases } from './audit.js';

type Entry = { ws: string; action: string; object: string };
type Counted = Map<string, number>;

const key = (...words: readonly string[]): string => words.join(' ');

/** A key that somebody reported is revoked by the report. */
const SAME: Readonly<Record<string, string>> = { 'key.reported': 'key.revoked' };

const countedBy = (keys: readonly string[]): Counted => {
  const counted: Counted = new Map();
  for (const one of keys) counted.set(one, (counted.get(one) ?? 0) + 1);
  return counted;
};

/**
 * I53: every signature, money event, mandate change and key change has its audit entry. Each sentence names what has
 * none. Entries commit with their acts, so they are read after them.
 */
export const auditEntries = async (databases: Databases): Promise<string[]> => {
  const acts = [...(await billed(databases)), ...(await signed(databases)), ...(await keyActs(databases))];
  const entries = (
    await Promise.all(
      SERVICES.map((service) => databases.of(service).collection<Entry & { _id: never }>('audit').find().toArray()),
    )
  ).flat();
  const found = countedBy(entries.map(({ ws, action, object }) => key(ws, SAME[action] ?? action, object)));
  return [...countedBy(acts)]
    .filter(([act, times]) => (found.get(act) ?? 0) < times)
    .map(([act, times]) => `I53: ${act} happened ${times} times and has ${found.get(act) ?? 0} audit entries`);
};

const billed = async (databases: Databases): Promise<string[]> => {
  type Row = { _id: never; ws: string; order_id: string; kind: string };
  const ledger = await databases.of('billing').collection<Row>('ledger').find().toArray();
  return ledger.map(({ ws, order_id, kind }) =>
    key(ws, kind === 'signed' ? 'order.signed' : `ledger.${kind}`, order_id),
  );
};

const signed = async (databases: Databases): Promise<string[]> => {
  type Plan = { _id: string; ws: string; status: string };
  const plans = await databases.of('planning').collection<Plan>('plans').find({ status: 'approved' }).toArray();
  return plans.map(({ _id, ws }) => key(ws, 'plan.sign', _id));
};

const keyActs = async (databases: Databases): Promise<string[]> => {
  type Key = { _id: string; ws: string; key_id: string; revoked_at: Date | null };
  type Version = { _id: string; ws: string; key_id: string; cause: string };
  const gateway = databases.of('gateway');
  const keys = await gateway.collection<Key>('keys').find().toArray();
  const versions = await gateway.collection<Version>('mandates').find().toArray();
  return [
    ...keys.map(({ ws, key_id }) => key(ws, 'key.made', key_id)),
    ...keys.filter(({ revoked_at }) => revoked_at !== null).map(({ ws, key_id }) => key(ws, 'key.revoked', key_id)),
    ...versions.map(({ ws, key_id, cause }) => key(ws, `mandate.${cause}`, key_id)),
  ];
};
