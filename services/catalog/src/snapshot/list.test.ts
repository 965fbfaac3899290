import { CREATOR_SORTS, FORMATS, GOALS, type Input, REACH_BANDS, SEGMENTS } from '@cds/contracts';
import type { Encoded } from '@cds/service';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { mongo } from 'mongoose';
import { audienceInForce } from '../domain/audience-in-force.js';
import type { Creator } from '../domain/creator.js';
import { dayOf } from '../domain/days.js';
import type { Audience } from '../domain/score.js';
import { creatorsSearch } from '../operations/creators-search.js';
import type { RowFacts } from '../present/creator.js';
import { aNetwork, aRequest, NOW, type TestNetwork } from '../test/network.js';
import { plainList } from '../test/plain-list.js';

type Query = Input<'creators_search'>;
type Page = {
  total: number;
  priced: number;
  cap: number;
  offset: number;
  limit: number;
  catalog: { approved: number; priced: number };
  creators: { id: string; match_score: number | null; on_sale: boolean }[];
};

/** Random lists held against the plain reference; a nightly run sends 20,000. */
const DRAWS = Number(process.env['CDS_LIST_DRAWS'] ?? 5_000);
/** So many lists between two changes of the network. */
const ROUND = 250;
const CREATORS = 300;
const SEED = Number(process.env['CDS_LIST_SEED'] ?? 1);

const randomOf = (seed: number) => {
  let state = seed >>> 0;
  return (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
};

const ODD_TEXTS = [
  '.*',
  '[a-z]',
  '(',
  '\\',
  '$',
  '%',
  'İ',
  'ß',
  '😀',
  '\u0000',
  'e\u0301',
  'x'.repeat(100),
  '@',
  '@demo',
  'demo_',
];

describe('lists against a plain reference', () => {
  let network: TestNetwork;
  let rows: mongo.Collection<Creator>;
  let creators: RowFacts[];
  let handles: Map<string, string>;
  const random = randomOf(SEED);
  const pick = <T>(of: readonly T[]): T => of[Math.floor(random() * of.length)] as T;
  const maybe = <T>(chance: number, value: () => T): T | undefined => (random() < chance ? value() : undefined);

  const reread = async (): Promise<void> => {
    creators = await rows.find({}, { projection: { posts: 0, posts_summary: 0 } }).toArray();
    const identities = await network.identityStore.db
      .collection<{ _id: string; handle: string }>('identities')
      .find()
      .toArray();
    handles = new Map(identities.map((one) => [one._id, one.handle]));
  };

  beforeAll(async () => {
    network = await aNetwork('list_property');
    rows = network.store.db.collection<Creator>('creators');
    await network.loader.load({ creators: CREATORS, seed: 7 }, new Date(NOW));
    await reread();
  }, 120_000);
  afterAll(() => network.drop());

  const part = (text: string): string => {
    const from = Math.floor(random() * text.length);
    return text.slice(from, from + 1 + Math.floor(random() * 6)).trim() || 'a';
  };
  const q = (): string => {
    const one = pick(creators);
    const text = pick([one.name ?? 'a', one.bio ?? 'b', handles.get(one._id) ?? 'c', pick(ODD_TEXTS)]);
    const found = random() < 0.2 ? text.slice(0, 100) : part(text);
    return random() < 0.3 ? found.toUpperCase() : found;
  };
  const aQuery = (): Query => {
    const ids = SEGMENTS.map(({ id }) => id);
    const match = maybe(0.3, () => Array.from({ length: 1 + Math.floor(random() * 3) }, () => pick(ids)).join(','));
    const followers = [pick(creators).followers ?? 0, pick(creators).followers ?? 9_999].sort((a, b) => a - b);
    const prices = [Math.floor(random() * 400), Math.floor(random() * 4_000)].sort((a, b) => a - b);
    const drawn: { [K in keyof Query]: Exclude<Query[K], undefined> | undefined } = {
      q: maybe(0.2, q),
      segment: maybe(0.15, () => pick(ids)),
      match,
      match_min: match === undefined ? undefined : maybe(0.3, () => Math.floor(random() * 80)),
      reach_band: maybe(0.15, () => pick(REACH_BANDS)),
      country: maybe(0.1, () => pick(creators).country?.toUpperCase() ?? 'Nowhere'),
      language: maybe(0.1, () => pick(creators).language?.toLowerCase() ?? 'None'),
      followers_min: maybe(0.15, () => followers[0] ?? 0),
      followers_max: maybe(0.15, () => followers[1] ?? 0),
      er_min: maybe(0.15, () => pick(creators).engagement_rate_30d ?? 1.5),
      format: maybe(0.2, () => pick(FORMATS)),
      price_min: maybe(0.1, () => prices[0] ?? 0),
      price_max: maybe(0.1, () => prices[1] ?? 0),
      sort: maybe(0.8, () => pick(CREATOR_SORTS)),
      dir: maybe(0.5, () => pick(['asc', 'desc'] as const)),
      goal: maybe(0.2, () => pick(GOALS)),
      limit: maybe(0.7, () => pick([1, 2, 7, 24, 49, 50])),
      offset: maybe(0.4, () => pick([0, 1, 23, 100, 5_000, 2 ** 40])),
    };
    return Object.fromEntries(Object.entries(drawn).filter(([, value]) => value !== undefined)) as Query;
  };
  const anAudience = (): Audience => {
    if (random() < 0.6) return [];
    const ids = [...new Set([pick(SEGMENTS).id, pick(SEGMENTS).id])];
    return ids.map((id, index) => ({ id, weight: ids.length === 1 ? 1 : index === 0 ? 0.7 : 0.3 }));
  };

  /** Changes some creators in the database alone, as another replica would have, and takes them in by their ids. */
  const change = async (day: string): Promise<void> => {
    const changed = Array.from({ length: 1 + Math.floor(random() * 5) }, () => pick(creators));
    for (const one of changed) {
      const kind = Math.floor(random() * 5);
      if (kind === 0) await rows.updateOne({ _id: one._id }, { $set: { active: !one.active } });
      if (kind === 1)
        await rows.updateOne(
          { _id: one._id },
          { $set: { followers: random() < 0.3 ? null : Math.floor(random() * 90_000) } },
        );
      if (kind === 2)
        await rows.updateOne(
          { _id: one._id },
          { $set: { median_views_30d: random() < 0.3 ? null : Math.floor(random() * 9_000) } },
        );
      if (kind === 3)
        await rows.updateOne(
          { _id: one._id },
          { $set: { excluded: !one.excluded, bio: `Writes on ${pick(ODD_TEXTS).replace('\u0000', ' ')}` } },
        );
      if (kind === 4 && one.units.length > 0)
        await rows.updateOne(
          { _id: one._id },
          { $set: { 'units.0.price.price_cents': 500 * (1 + Math.floor(random() * 900)) } },
        );
    }
    await network.memory.take(
      changed.map(({ _id }) => _id),
      day,
    );
    await reread();
  };

  it(`answers ${DRAWS} random lists as the reference does, while creators change and days pass`, async () => {
    let at = new Date(NOW);
    let found = 0;
    for (let draw = 0; draw < DRAWS; draw += 1) {
      if (draw % ROUND === ROUND - 1) {
        if (random() < 0.3) at = new Date(at.getTime() + 86_400_000 * (1 + Math.floor(random() * 3)));
        await change(dayOf(at));
      }
      const query = aQuery();
      const onFile = anAudience();
      const audience = audienceInForce(query, onFile);
      const named = [
        'q',
        'reach_band',
        'country',
        'language',
        'followers_min',
        'followers_max',
        'er_min',
        'format',
        'price_min',
        'price_max',
      ];
      if (audience === null && named.every((name) => !(name in query))) query.followers_min = 0;

      const encoded = await creatorsSearch(aRequest({ now: at.toISOString() }), query, {
        memory: network.memory,
        handles: network.handles,
        guesses: { note: () => 0 },
        contexts: { audienceOf: async () => ({ text: null, segments: onFile, unresolved: false }) } as never,
        meters: { book: async (_ws, want) => ({ granted: [...want.creators], refused: null, at }) },
      });
      const page = JSON.parse(Buffer.from((encoded as Encoded).json as Uint8Array).toString()) as Page;

      const day = dayOf(at);
      const plain = plainList(creators, { query, audience, day, handleOf: (id) => handles.get(id) ?? '' });
      const limit = query.limit ?? 24;
      const offset = Math.min(query.offset ?? 0, plain.ids.length);
      const wanted = {
        total: plain.ids.length,
        priced: plain.priced,
        limit,
        offset,
        ids: plain.ids.slice(offset, offset + limit),
        scores: plain.scores.slice(offset, offset + limit),
      };
      const got = {
        total: page.total,
        priced: page.priced,
        limit: page.limit,
        offset: page.offset,
        ids: page.creators.map(({ id }) => id),
        scores: page.creators.map(({ match_score }) => match_score),
      };
      found += got.ids.length;
      if (JSON.stringify(got) !== JSON.stringify(wanted))
        expect({ draw, query, onFile, day, ...got }).toEqual({ draw, query, onFile, day, ...wanted });
    }
    expect(found).toBeGreaterThan(DRAWS);
  }, 600_000);
});
