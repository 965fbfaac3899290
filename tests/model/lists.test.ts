// @night: draws lists against a plain filter; filters and orders have tables beside them.
import {
  type Audience,
  aNetwork,
  aRequest,
  type Creator,
  creatorsSearch,
  NOW,
  type RowFacts,
  referenceAudience,
  referenceList,
  type TestNetwork,
} from '@cds/catalog/testing';
import { AppError, catalogOperations } from '@cds/contracts';
import { proves } from '@cds/contracts/testing';
import { readQuery, validate } from '@cds/gateway/testing';
import type { Collection, Encoded } from '@cds/service';
import { randomOf, seedFrom } from '@cds/service/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type DrawnList, listsDrawn, namesSomething } from './drawn-list.js';

type Query = DrawnList['query'];
type Page = {
  total: number;
  priced: number;
  cap: number;
  offset: number;
  limit: number;
  catalog: { approved: number; priced: number };
  shortlist?: { limit: number; why: string };
  note?: string;
  creators: { id: string; match_score: number | null; on_sale: boolean; price_estimate: unknown }[];
};

const DRAWS = Number(process.env['CDS_LIST_DRAWS'] ?? 2_000);
const SEED = seedFrom('CDS_LIST_SEED');
/** How many lists are drawn between two changes of the network. */
const ROUND = 250;
const CREATORS = 300;
/** How often a run must contain each parameter and reach each outcome. */
const LEAST = Math.floor(DRAWS / 2_000);

const ODD_BIOS = ['.*', '\\', 'İ', 'ß', '😀', 'e\u0301', 'ﬁ', '@', '@@demo', '__proto__', '\u202e'];

const isSame = (one: Record<string, unknown>, other: Record<string, unknown>): boolean =>
  [...Object.keys(one), ...Object.keys(other)].every(
    (name) => JSON.stringify(one[name]) === JSON.stringify(other[name]),
  );

const read = ({ sent }: DrawnList): Query => {
  const { values, problems } = typeof sent === 'string' ? readQuery(sent) : { values: sent, problems: [] };
  return validate(catalogOperations.creators_search, { params: {}, query: values, body: {}, problems }).input;
};

/** The refusal expected once the parameters are read; null when the list must be answered. */
const plainRefusal = (query: Query, audience: Audience | null): string | null => {
  if (audience !== null) return null;
  if (query.fit === true) return 'bad_request';
  return namesSomething(query) ? null : 'filter_required';
};

/**
 * Random lists over either transport, read as the gateway reads them and answered from the catalog's memory, against a
 * plain reference that filters and sorts objects. `CDS_LIST_SEED` replays a run, `CDS_LIST_DRAWS` sets its size.
 */
describe('lists against a plain reference', () => {
  let network: TestNetwork;
  let rows: Collection<Creator>;
  let creators: RowFacts[];
  let handles: Map<string, string>;
  const random = randomOf(SEED);
  const pick = <T>(of: readonly T[]): T => of[Math.floor(random() * of.length)] as T;
  const drawn = listsDrawn(random, {
    texts: () => {
      const one = pick(creators);
      return pick([one.name ?? 'a', one.bio ?? 'b', handles.get(one._id) ?? 'c']);
    },
    country: () => pick(creators).country,
    language: () => pick(creators).language,
    followers: () => pick(creators).followers,
    rate: () => pick(creators).engagement_rate_30d,
  });

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
    await network.generate({ creators: CREATORS, seed: 7 });
    await reread();
  }, 120_000);
  afterAll(() => network.drop());

  const anAudience = (): Audience => {
    if (random() < 0.6) return [];
    const [one, other] = [pick(creators), pick(creators)].map(({ weights }) => weights[0]?.id ?? 'sales');
    if (one === undefined || other === undefined || one === other) return [{ id: one ?? 'sales', weight: 1 }];
    return [
      { id: one, weight: 0.7 },
      { id: other, weight: 0.3 },
    ];
  };

  /** Changes some creators only in the database, as another replica would, then loads them by id. */
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
          { $set: { excluded: !one.excluded, bio: `Writes on ${pick(ODD_BIOS)}` } },
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

  const answered = async (query: Query, onFile: Audience, at: Date): Promise<Page | string> => {
    try {
      const encoded = await creatorsSearch(aRequest({ now: at.toISOString() }), query, {
        memory: network.memory,
        handles: network.handles,
        enumerationDetector: { note: () => 0 },
        audiences: { of: async () => ({ text: null, segments: onFile, unresolved: false }) } as never,
        meters: { book: async (_ws, want) => ({ granted: [...want.creators], refused: null, at, n: 1 }) },
      });
      return JSON.parse(Buffer.from((encoded as Encoded).json as Uint8Array).toString()) as Page;
    } catch (error) {
      if (error instanceof AppError) return error.code;
      throw error;
    }
  };

  it(`answers or refuses ${DRAWS} random lists as the reference does, while creators change and days pass`, async () => {
    proves('creators.filters', 'creators.sorts', 'creators.pages');
    const met = new Map<string, number>();
    const note = (...what: string[]) => {
      for (const one of what) met.set(one, (met.get(one) ?? 0) + 1);
    };
    let at = new Date(NOW);
    for (let draw = 0; draw < DRAWS; draw += 1) {
      if (draw % ROUND === ROUND - 1) {
        if (random() < 0.3) at = new Date(at.getTime() + 86_400_000 * (1 + Math.floor(random() * 3)));
        await change(at.toISOString().slice(0, 10));
      }
      const list = drawn();
      note(typeof list.sent === 'string' ? 'REST' : 'MCP');
      const onFile = anAudience();
      const replay = { seed: SEED, draw, list, onFile };
      const { query } = list;
      const audience = referenceAudience(query, onFile);
      const day = at.toISOString().slice(0, 10);
      const page = await answered(read(list), onFile, at);
      const refusal = plainRefusal(query, audience);
      if (refusal !== null || typeof page === 'string') {
        if (refusal !== page) expect({ ...replay, page }).toEqual({ ...replay, page: refusal });
        note(refusal === 'bad_request' ? 'fit without an audience' : 'filter_required');
        continue;
      }

      const plain = referenceList(creators, { query, audience, day, handleOf: (id) => handles.get(id) ?? '' });
      const { limit } = plain;
      const offset = Math.min(query.offset ?? 0, plain.ids.length);
      const wanted = {
        total: plain.ids.length,
        priced: plain.priced,
        cap: plain.ids.length,
        catalog: plain.catalog,
        limit,
        offset,
        ids: plain.ids.slice(offset, offset + limit),
        scores: plain.scores.slice(offset, offset + limit),
        misestimated: [],
      };
      const { creators: shown, shortlist, note: why, ...head } = page;
      expect([shortlist !== undefined, why !== undefined]).toEqual([query.budget !== undefined, shown.length === 0]);
      const got = {
        ...head,
        ids: shown.map(({ id }) => id),
        scores: shown.map(({ match_score }) => match_score),
        misestimated: shown.filter((one) => one.on_sale !== (one.price_estimate === null)),
      };
      if (!isSame(got, wanted)) expect({ ...replay, day, ...got }).toEqual({ ...replay, day, ...wanted });

      note(audience === null ? 'no audience' : query.match !== undefined ? 'an audience sent' : 'an audience');
      if (query.match !== undefined && query.segment !== undefined) note('an audience narrowed');
      if (got.ids.length > 0) note(`sorted by ${query.sort ?? 'match'} ${query.dir ?? 'desc'}`);
      if (query.q !== undefined) note(got.total > 0 ? 'found by q' : 'not found by q');
      if (got.total > offset + limit) note('a page more');
      if ((query.offset ?? 0) > got.total) note('past the end');
      if (got.total === 0) note('nobody');
      if (query.budget !== undefined && query.limit === undefined)
        note([10, 25, 50].includes(limit) ? `a shortlist of ${limit}` : 'a shortlist between');
      if (query.format !== undefined && got.ids.length > 1 && query.sort === 'price') note('by the price of a format');
    }

    const expected = [
      'REST',
      'MCP',
      ...['match', 'followers', 'engagement', 'views', 'price'].flatMap((sort) => [
        `sorted by ${sort} asc`,
        `sorted by ${sort} desc`,
      ]),
      'no audience',
      'an audience sent',
      'an audience',
      'an audience narrowed',
      'fit without an audience',
      'filter_required',
      'found by q',
      'not found by q',
      'a page more',
      'past the end',
      'nobody',
      'a shortlist of 10',
      'a shortlist of 25',
      'a shortlist of 50',
      'a shortlist between',
      'by the price of a format',
    ];
    expect(expected.filter((what) => (met.get(what) ?? 0) < LEAST).map((what) => [what, met.get(what)])).toEqual([]);
  }, 600_000);
});
