import type { Databases } from './audit.js';

export type FeedRow = {
  _id: string;
  ws: string;
  seq: number;
  kind: string;
  aggregate: { type: string; id: string };
  version: number;
};
export type Counter = { _id: string; seq: number };
export type Head = { _id: string; ws: string; version: number };
/** An aggregate as its service stores it; `exact` where every version has an event. */
export type Stored = { ws: string; type: string; id: string; version: number; exact: boolean };

type Versioned = { _id: string; ws: string; version: number };
type Plan = Versioned & { status: string };
type Campaign = { _id: string; ws: string; rev: number };
type Post = Versioned & { readings_version?: number; figures: { latest: unknown } };

/** I69 of a system at rest: each sentence names what is wrong; none means all is well. */
export const auditFeed = async (databases: Databases): Promise<string[]> => {
  const gateway = databases.of('gateway');
  const rows = await gateway.collection<FeedRow>('feed').find().sort({ ws: 1, seq: 1 }).toArray();
  const counters = await gateway.collection<Counter>('feed_counters').find().toArray();
  const heads = await gateway.collection<Head>('feed_heads').find().toArray();
  return [...feedIsInOrder(rows, counters), ...feedIsWhole(heads, await storedIn(databases))];
};

const storedIn = async (databases: Databases): Promise<Stored[]> => {
  const all = <Row extends { _id: string }>(service: string, name: string): Promise<Row[]> =>
    databases.of(service).collection<Row>(name).find().toArray() as Promise<Row[]>;
  const campaigns = await all<Campaign>('planning', 'campaigns');
  const plans = await all<Plan>('planning', 'plans');
  const orders = await all<Versioned>('billing', 'orders');
  const lines = await all<Versioned>('proposals', 'offer_lines');
  const posts = await all<Post>('metrics', 'posts');
  const exact = (type: string, { _id, ws }: { _id: string; ws: string }, version: number): Stored => ({
    ...{ ws, type, id: _id, version, exact: true },
  });
  return [
    ...campaigns.map((one) => ({ ...exact('campaign', one, one.rev), exact: false })),
    ...plans.map((one) => exact('plan', one, one.status === 'approved' ? one.version + 1 : one.version)),
    ...orders.map((one) => exact('order', one, one.version)),
    ...lines.filter(({ version }) => version > 0).map((one) => exact('line', one, one.version)),
    ...posts.filter(({ version }) => version > 0).map((one) => exact('post', one, one.version)),
    ...posts
      .filter(({ figures, readings_version }) => figures.latest !== null && readings_version !== undefined)
      .map((one) => exact('reading', one, one.readings_version ?? 0)),
  ];
};

/** Places rise by one up to the counter, and the versions of an aggregate rise with them. */
export const feedIsInOrder = (rows: readonly FeedRow[], counters: readonly Counter[]): string[] => {
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
export const feedIsWhole = (heads: readonly Head[], stored: readonly Stored[]): string[] => {
  const known = new Map(heads.map(({ _id, version }) => [_id, version]));
  return stored.flatMap(({ ws, type, id, version, exact }) => {
    const shown = known.get(`${ws}|${type}|${id}`) ?? 0;
    const fits = exact ? shown === version : shown > 0 && shown <= version;
    return fits ? [] : [`I69: ${type} ${id} is at version ${version}, and the feed at ${shown}`];
  });
};
