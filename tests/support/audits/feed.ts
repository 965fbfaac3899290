import { eventByName, eventSubject } from '@cds/contracts';
import type { Databases } from './audit.js';

type FeedRow = {
  _id: string;
  ws: string;
  seq: number;
  kind: string;
  aggregate: { type: string; id: string };
  version: number;
};
type Counter = { _id: string; seq: number; reset_at?: Date };
type Head = { _id: string; ws: string; version: number };
/** An aggregate as its service stores it, and between which versions its newest event is. */
type Stored = { ws: string; type: string; id: string; least: number; most: number };

type Versioned = { _id: string; ws: string; version: number };
type Plan = Versioned & { status: string };
type Campaign = { _id: string; ws: string; rev: number };
/** The newest event of a campaign that is left in planning's outbox. */
type CampaignEvent = { _id: string; ws: string; version: number; deleted: boolean; at: Date };
type MandateVersion = {
  ws: string;
  key_id: string;
  version: number;
  mandate: object | null;
  /** The gateway's sweep added its event again, with who made the key. */
  said_again?: true;
};
type MandatedKey = { key_id: string; revoked_at: Date | null; parent: { key_id: string } | null };
type Post = Versioned & { readings_version?: number; figures: { latest: unknown } };

/** I69 of a system at rest: each sentence names what is wrong; none means all is well. */
export const auditFeed = async (databases: Databases): Promise<string[]> => {
  const gateway = databases.of('gateway');
  const rows = await gateway.collection<FeedRow>('feed').find().sort({ ws: 1, seq: 1 }).toArray();
  const counters = await gateway.collection<Counter>('feed_counters').find().toArray();
  const heads = await gateway.collection<Head>('feed_heads').find().toArray();
  return [...feedIsInOrder(rows, counters), ...feedIsWhole(heads, await storedIn(databases, counters))];
};

const allOf = <Row extends { _id: string }>(databases: Databases, service: string, name: string): Promise<Row[]> =>
  databases.of(service).collection<Row>(name).find().toArray() as Promise<Row[]>;

const exact = (type: string, { _id, ws }: { _id: string; ws: string }, version: number): Stored => ({
  ...{ ws, type, id: _id, least: version, most: version },
});

const storedIn = async (databases: Databases, counters: readonly Counter[]): Promise<Stored[]> => {
  const all = <Row extends { _id: string }>(service: string, name: string): Promise<Row[]> =>
    allOf<Row>(databases, service, name);
  const campaigns = await all<Campaign>('planning', 'campaigns');
  const versions = await all<MandateVersion & { _id: string }>('gateway', 'mandates');
  const keys = await all<MandatedKey & { _id: string }>('gateway', 'keys');
  const plans = await all<Plan>('planning', 'plans');
  const orders = await all<Versioned>('billing', 'orders');
  const lines = await all<Versioned>('proposals', 'offer_lines');
  const posts = await all<Post>('metrics', 'posts');
  return [
    ...campaignsOf(campaigns, await campaignEvents(databases), counters),
    ...mandatesOf(versions, keys),
    ...plans.map((one) => exact('plan', one, one.status === 'approved' ? one.version + 1 : one.version)),
    ...orders.map((one) => exact('order', one, one.version)),
    ...lines.filter(({ version }) => version > 0).map((one) => exact('line', one, one.version)),
    ...posts.filter(({ version }) => version > 0).map((one) => exact('post', one, one.version)),
    ...posts
      .filter(({ figures, readings_version }) => figures.latest !== null && readings_version !== undefined)
      .map((one) => exact('reading', one, one.readings_version ?? 0)),
  ];
};

const campaignEvents = (databases: Databases): Promise<CampaignEvent[]> =>
  databases
    .of('planning')
    .collection('outbox')
    .aggregate<CampaignEvent>([
      { $match: { subject: eventSubject(eventByName('campaign.changed')) } },
      { $sort: { version: 1 } },
      {
        $group: {
          _id: '$aggregate',
          ws: { $last: '$payload.workspace' },
          version: { $last: '$version' },
          deleted: { $last: { $eq: ['$payload.deleted', true] } },
          at: { $last: '$at' },
        },
      },
    ])
    .toArray();

/**
 * Edits of a plan raise a campaign's version without an event. Its newest event is in the outbox, which keeps it for
 * days, or was published again from the campaign as it is. A deleted campaign ends with an event too, unless a reset
 * removed it.
 */
const campaignsOf = (
  campaigns: readonly Campaign[],
  events: readonly CampaignEvent[],
  counters: readonly Counter[],
): Stored[] => {
  const newest = new Map(events.map((event) => [event._id, event.version]));
  const resets = new Map(counters.map(({ _id, reset_at }) => [_id, reset_at]));
  const isKept = ({ ws, at }: CampaignEvent): boolean => at > (resets.get(ws) ?? new Date(0));
  return [
    ...campaigns.map((one) => ({ ...exact('campaign', one, one.rev), least: newest.get(one._id) ?? 1 })),
    ...events.filter((one) => one.deleted && isKept(one)).map((one) => exact('campaign', one, one.version)),
  ];
};

/**
 * A mandate has an event of each version, and one when its key is revoked while it is in force. A child that ends with
 * its parent needs none.
 */
const mandatesOf = (versions: readonly MandateVersion[], keys: readonly MandatedKey[]): Stored[] => {
  const newest = new Map<string, MandateVersion>();
  for (const one of versions) if ((newest.get(one.key_id)?.version ?? 0) < one.version) newest.set(one.key_id, one);
  const revoked = new Set(keys.filter(({ revoked_at }) => revoked_at !== null).map(({ key_id }) => key_id));
  const parents = new Map(keys.map(({ key_id, parent }) => [key_id, parent?.key_id ?? '']));
  return [...newest.values()].map(({ ws, key_id, version, mandate, said_again }) => {
    const stands = said_again === true ? version + 1 : version;
    const most = mandate !== null && revoked.has(key_id) ? stands + 1 : stands;
    return { ws, type: 'mandate', id: key_id, least: revoked.has(parents.get(key_id) ?? '') ? stands : most, most };
  });
};

/** Places rise by one up to the counter, and the versions of an aggregate rise with them. */
const feedIsInOrder = (rows: readonly FeedRow[], counters: readonly Counter[]): string[] => {
  const wrong: string[] = [];
  const versions = new Map<string, number>();
  const places = new Map<string, number>();
  for (const { ws, seq, aggregate, version } of rows) {
    const before = places.get(ws);
    if (before !== undefined && seq !== before + 1) wrong.push(`I69: the feed of ${ws} has ${seq} after ${before}`);
    places.set(ws, seq);
    const name = `${ws} ${aggregate.type} ${aggregate.id}`;
    if ((versions.get(name) ?? 0) >= version) wrong.push(`I69: ${name} went back to version ${version} at ${seq}`);
    versions.set(name, version);
  }
  const counted = new Map(counters.map(({ _id, seq }) => [_id, seq]));
  for (const [ws, last] of places)
    if (counted.get(ws) !== last)
      wrong.push(`I69: the feed of ${ws} ends at ${last} and its counter at ${counted.get(ws)}`);
  return wrong;
};

/** The feed has the newest version of every aggregate. */
const feedIsWhole = (heads: readonly Head[], stored: readonly Stored[]): string[] => {
  const known = new Map(heads.map(({ _id, version }) => [_id, version]));
  return stored.flatMap(({ ws, type, id, least, most }) => {
    const shown = known.get(`${ws}|${type}|${id}`) ?? 0;
    const fits = shown >= least && shown <= most;
    return fits ? [] : [`I69: ${type} ${id} is at version ${most}, and the feed at ${shown}, not from ${least} on`];
  });
};
