import { SERVICES } from '@cds/contracts';
import type { Document, MongoClient } from 'mongodb';

/** How one kind of statement reads: what the most wasteful of its runs looked at, and what it was for. */
export type Scan = {
  collection: string;
  /** What it selects and sorts by, without values. */
  shape: string;
  plan: string;
  /** Documents that were read; those that a join adds count here and not as used. */
  examined: number;
  used: number;
  joins: boolean;
  runs: number;
};

/** Collections that are read whole, and why that stays cheap. */
const WHOLE: Readonly<Record<string, string>> = {
  'catalog.launches': 'the launches that the team tracks',
  'gateway.key_changes': 'empty but for the moments in which a key changes',
  'gateway.right_ends': 'empty but for the moments in which a right ends',
  'gateway.operator_people': 'the people of one team',
  'gateway.operator_tokens': 'the tokens of one team',
  'planning.repricings': 'empty but for the moments in which prices change',
  ...Object.fromEntries(SERVICES.map((service) => [`${service}.clocks`, 'the sandboxes whose clock was ever moved'])),
  ...Object.fromEntries(SERVICES.map((service) => [`${service}.put_off`, 'the jobs that fail now'])),
};

/** Statements that read more than they use, by a part of what they select by, and why. */
const READS_ON: readonly { collection: string; by: string; why: string }[] = [
  { collection: 'catalog.creators', by: '$regex', why: "the team's search by a part of a name" },
  { collection: 'catalog.creators', by: '"price.method":{"$ne"', why: "the team's list of prices that end soon" },
  { collection: 'catalog.creators', by: '"$nor":[{"status"', why: "the team's queue of those who cannot be booked" },
  {
    collection: 'catalog.creators',
    by: '"flag_inactive":"?"},{"erased_at"',
    why: "the team's list by what vetting found",
  },
  {
    collection: 'catalog.creators',
    by: '"generated.seed":{"$ne"',
    why: 'a development network of another seed or size',
  },
  {
    collection: 'gateway.oauth_grants',
    by: '"members.role":{"$nin"',
    why: 'a sweep asks of each client for its member',
  },
  {
    collection: 'gateway.webhook_deliveries',
    by: '$bsonSize',
    why: 'what waits for an endpoint is added up; it is bounded',
  },
  { collection: 'gateway.messages', by: 'sent_at', why: "the team's list, by day; its other filters pass few over" },
  { collection: 'gateway.webhook_lanes', by: '$nin', why: 'lanes of endpoints that have all they may send under way' },
  { collection: 'planning.plans', by: 'price_cents', why: 'a plan with the unit may have its new price already' },
];

/** How much a statement may read on top of twice what it uses. */
const BESIDE = 20;

export const isWasteful = ({ collection, shape, plan, examined, used, joins }: Scan): boolean => {
  if (shape.includes('$changeStream')) return false;
  if (READS_ON.some((one) => one.collection === collection && shape.includes(one.by))) return false;
  if (plan.includes('COLLSCAN')) return !(collection in WHOLE);
  if (joins) return false;
  return examined > 2 * used + BESIDE;
};

const PROFILE_BYTES = 64 * 1024 * 1024;

const databasesOf = (mongo: MongoClient, prefix: string) =>
  SERVICES.map((service) => ({ service, db: mongo.db(`${prefix}cds_${service}`) }));

/** Has the database note every statement on the databases of a system. */
export const noteStatements = async (mongo: MongoClient, prefix: string): Promise<void> => {
  for (const { db } of databasesOf(mongo, prefix)) {
    await db.createCollection('system.profile', { capped: true, size: PROFILE_BYTES });
    await db.command({ profile: 2 });
  }
};

/** How each kind of statement of the services has read since; the noting ends. */
export const scansOf = async (mongo: MongoClient, prefix: string): Promise<Scan[]> => {
  const scans = new Map<string, Scan>();
  for (const { service, db } of databasesOf(mongo, prefix)) {
    await db.command({ profile: 0 });
    const own = { user: new RegExp(`^${prefix}`), ns: { $not: /\.system\./ } };
    for await (const noted of db.collection('system.profile').find(own)) {
      const scan = scanOf(service, noted);
      const name = `${scan.collection} ${scan.shape}`;
      const before = scans.get(name);
      const worst = before !== undefined && wasteOf(before) >= wasteOf(scan) ? before : scan;
      scans.set(name, { ...worst, runs: (before?.runs ?? 0) + 1 });
    }
  }
  return [...scans.values()].sort((one, other) => wasteOf(other) - wasteOf(one));
};

const wasteOf = ({ examined, used }: Scan): number => examined - 2 * used;

const scanOf = (service: string, noted: Document): Scan => ({
  collection: `${service}.${String(noted['ns']).split('.').slice(1).join('.')}`,
  shape: `${noted['op']} ${JSON.stringify(shapeOf(selectionOf(noted)))}`,
  plan: noted['planSummary'] ?? '',
  examined: noted['docsExamined'] ?? 0,
  used: Math.max(noted['nreturned'] ?? 0, noted['nMatched'] ?? 0, noted['ndeleted'] ?? 0),
  joins: JSON.stringify(selectionOf(noted)).includes('$lookup'),
  runs: 1,
});

const selectionOf = ({ command = {}, originatingCommand }: Document): unknown => {
  const from: Document = originatingCommand ?? command;
  // mongod notes a long command as the beginning of its text, which still says what it selects by.
  if (typeof from['$truncated'] === 'string') return { [from['$truncated']]: '?' };
  return from['pipeline'] ?? [from['filter'] ?? from['query'] ?? from['q'] ?? {}, from['sort'] ?? {}];
};

const shapeOf = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.slice(0, 3).map(shapeOf);
  if (value === null || typeof value !== 'object' || Object.getPrototypeOf(value) !== Object.prototype) return '?';
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, shapeOf(one)]));
};
