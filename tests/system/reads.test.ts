// @night: two catalogs under read limits that have tests beside them.
import { type Creators, type ErrorBody, ErrorResource, SEGMENT_IDS } from '@cds/contracts';
import { proves } from '@cds/contracts/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Binary, MongoClient } from 'mongodb';
import { seedBrand } from '../../tools/lib/stack.js';
import { type Endpoint, mcpEndpoint } from '../support/endpoints.js';
import { type Answer, aBrand, ask, keptStack, type SeededWorkspace, type Stack, secretOf } from '../support/stack.js';

const READERS = ['full', 'reader', 'writer', 'bare', 'muted'] as const;
const READS = 500;

const ids = (count: number): string => [...SEGMENT_IDS].slice(0, count).join(',');

type Sent = Record<string, string | number | boolean>;

/**
 * Each limit of a list, with a value at its bound and next to it (docs/domain/network.md#lists), and what that value
 * requires beside it.
 */
const TAKEN: readonly Sent[] = [
  { limit: 1 },
  { limit: 50 },
  { offset: 0 },
  { offset: 1_000_000 },
  { budget: 1 },
  { q: 'x' },
  { q: 'x'.repeat(100) },
  { q: '😀'.repeat(100) },
  { q: '.*+([\\' },
  { followers_min: 0 },
  { followers_min: 9, followers_max: 9 },
  { price_min: 0 },
  { price_min: 9, price_max: 9 },
  { er_min: 0 },
  { er_min: 100 },
  { er_min: 99.99 },
  { match: ids(1) },
  { match: ids(10) },
  { match: ids(1), match_min: 0 },
  { match: ids(1), match_min: 100 },
  { segment: 'sales', fit: true },
  { fit: false },
  { country: 'x'.repeat(100) },
  { language: 'x'.repeat(100) },
];

const REFUSED: readonly (readonly [sent: Sent, fields: readonly string[]])[] = [
  [{ limit: 0 }, ['limit']],
  [{ limit: 51 }, ['limit']],
  [{ limit: 1.5 }, ['limit']],
  [{ limit: 'NaN' }, ['limit']],
  [{ limit: '1e1' }, ['limit']],
  [{ offset: -1 }, ['offset']],
  [{ offset: '1e3' }, ['offset']],
  [{ budget: 0 }, ['budget']],
  [{ budget: 0.99 }, ['budget']],
  [{ q: '' }, ['q']],
  [{ q: ' \t' }, ['q']],
  [{ q: 'x'.repeat(101) }, ['q']],
  [{ q: '😀'.repeat(101) }, ['q']],
  [{ q: 'x'.repeat(5_000) }, ['q']],
  [{ followers_min: -1 }, ['followers_min']],
  [{ followers_min: 10, followers_max: 9 }, ['followers_min']],
  [{ price_min: -1 }, ['price_min']],
  [{ price_max: 0.5 }, ['price_max']],
  [{ price_min: 10, price_max: 9 }, ['price_min']],
  [{ er_min: -0.01 }, ['er_min']],
  [{ er_min: 100.01 }, ['er_min']],
  [{ er_min: 1.234 }, ['er_min']],
  [{ match: '' }, ['match']],
  [{ match: ids(11) }, ['match']],
  [{ match: 'sales,nobody' }, ['match']],
  [{ match: ids(1), match_min: -1 }, ['match_min']],
  [{ match: ids(1), match_min: 101 }, ['match_min']],
  [{ match_min: 50 }, ['match_min']],
  [{ segment: 'nobody' }, ['segment']],
  [{ fit: 'yes' }, ['fit']],
  [{ reach_band: 'huge' }, ['reach_band']],
  [{ goal: 'party' }, ['goal']],
  [{ format: 'video' }, ['format']],
  [{ sort: 'name' }, ['sort']],
  [{ dir: 'up' }, ['dir']],
  [{ country: 'x'.repeat(101) }, ['country']],
  [{ language: '' }, ['language']],
  [{ page: 2 }, ['page']],
  [
    { limit: 51, offset: -1, q: ' ', sort: 'name', match_min: 5, page: 2, followers_min: 2, followers_max: 1 },
    ['followers_min', 'limit', 'match_min', 'offset', 'page', 'q', 'sort'],
  ],
];

const byName = (one: string, other: string): number => one.localeCompare(other);

/** Reads of creators over both transports of a system with two whole catalogs (docs/reliability.md#layers). */
describe('reads of creators with two catalogs', () => {
  let stack: Stack;
  let mongo: MongoClient;
  let live: SeededWorkspace;
  let keys: string[];

  const catalog = () => mongo.db(`${stack.prefix}cds_catalog`);
  const freshMeters = () => catalog().collection('read_meters').deleteMany({});
  const served = (answers: readonly Answer[]) => answers.filter(({ status }) => status === 200);
  const errorOf = (answer: Answer) => (answer.body as { error: ErrorBody }).error;
  const minuteNow = (): number => Math.floor(Date.now() / 60_000);
  /** Asks again when a busy machine gave no answer in time; `late` counts reads that may be booked and not shown. */
  let late = 0;
  const answered: typeof ask = async (...asked) => {
    for (;;) {
      const answer = await ask(...asked);
      if (answer.status !== 503) return answer;
      late += 1;
    }
  };

  beforeAll(async () => {
    // A catalog that fell behind while the network was loaded has rejoined the queue group.
    stack = await keptStack('pairs');
    mongo = await new MongoClient(stack.mongodbUri).connect();
    const brand = await aBrand(stack);
    live = brand.live;
    keys = [brand.live, brand.sandbox].flatMap((workspace) => READERS.map((name) => secretOf(workspace, name)));
  }, 180_000);

  afterAll(async () => {
    await mongo?.close();
  });

  it('shows 300 creators a day to 500 lists at once by ten keys, 20 lists a minute (I38, I39)', async () => {
    proves('limits.pool-300', 'limits.brand-ceiling');
    await freshMeters();
    const page = (index: number) =>
      ({ followers_min: 0, sort: 'followers', limit: 50, offset: (index * 7) % 500 }) as const;
    const began = minuteNow();
    const answers = await Promise.all(
      Array.from({ length: READS }, (_none, index) =>
        answered(stack, keys[index % keys.length] ?? '', 'creators_search', page(index)),
      ),
    );

    const seen = new Set(served(answers).flatMap(({ body }) => (body as Creators).creators.map(({ id }) => id)));
    const minutes = minuteNow() - began + 1;
    for (const answer of answers) {
      if (answer.status === 200) continue;
      expect(answer).toMatchObject({ status: 429, body: { error: { code: 'rate_limited' } } });
      expect(errorOf(answer).details).toMatchObject({ reason: expect.stringMatching(/^(per_minute|daily_seen)$/) });
    }
    expect(seen.size).toBeLessThanOrEqual(300);
    expect(served(answers).length).toBeLessThanOrEqual(20 * minutes);
    const meter = await catalog().collection<{ _id: string; seen: Binary }>('read_meters').findOne({ _id: live.id });
    const booked = (meter?.seen.length() ?? 0) / 16;
    expect(booked).toBeLessThanOrEqual(300);
    if (late === 0) expect(booked).toBe(seen.size);
    const full = answers.some((one) => one.status === 429 && errorOf(one).details?.['reason'] === 'daily_seen');
    if (full) expect(booked).toBe(300);
    else if (late === 0) expect(served(answers).length).toBeGreaterThanOrEqual(20);
  }, 60_000);

  it('gives a new key of the brand nothing of a day that is used up (I39)', async () => {
    await catalog()
      .collection<{ _id: string; n: number }>('read_meters')
      .updateOne({ _id: live.id }, { $set: { 'ws.min.n': 0, 'ws.lists': 60 }, $inc: { n: 1 } });
    const workspaces = await seedBrand(stack, { name: live.name, sandbox: `${live.name}-sandbox`, replaceKeys: true });
    const fresh = workspaces.find(({ id }) => id === live.id) ?? live;
    const refused = await ask(stack, secretOf(fresh, 'full'), 'creators_search', { followers_min: 0 });
    expect(refused).toMatchObject({
      status: 429,
      body: { error: { details: { reason: 'daily_lists', scope: 'api' } } },
    });
    expect(await ask(stack, keys[0] ?? '', 'creators_search', { followers_min: 0 })).toMatchObject({ status: 401 });
    live = fresh;
    keys = workspaces.flatMap((workspace) => READERS.map((name) => secretOf(workspace, name)));
  });

  it('sends 20 of 30 asks at once, and one of 10 for one creator (I40)', async () => {
    proves('asks.limits', 'asks.already');
    await freshMeters();
    const large = { followers_min: 0, sort: 'followers', limit: 50 } as const;
    const unpriced: string[] = [];
    for (let offset = 0; unpriced.length < 31; offset += 50) {
      const { body } = await ask(stack, keys[offset % 10] ?? '', 'creators_search', { ...large, offset });
      unpriced.push(...(body as Creators).creators.filter((one) => one.ask_price).map(({ id }) => id));
    }
    const askers = ['full', 'bare', 'muted'].map((name) => secretOf(live, name));
    const asked = (creators: readonly string[]) =>
      Promise.all(creators.map((id, index) => ask(stack, askers[index % 3] ?? '', 'creator_ask_price', { id })));
    const sentOnes = (answers: readonly Answer[]) =>
      served(answers).filter(({ body }) => !(body as { already: boolean }).already);

    await freshMeters();
    const answers = await asked(unpriced.slice(0, 30));
    expect(sentOnes(answers)).toHaveLength(20);
    for (const answer of answers.filter(({ status }) => status !== 200))
      expect(answer).toMatchObject({ status: 429, body: { error: { details: { reason: 'daily_limit', limit: 20 } } } });

    await freshMeters();
    const [one = ''] = unpriced.slice(30);
    const same = await asked(Array.from({ length: 10 }, () => one));
    expect(served(same)).toHaveLength(10);
    expect(sentOnes(same)).toHaveLength(1);
    expect(await catalog().collection('price_asks').countDocuments({ ws: live.id })).toBe(21);
  }, 60_000);

  it('had both catalogs in the queue group all the while', async () => {
    for (const one of stack.services['catalog'] ?? []) {
      expect((await fetch(`http://127.0.0.1:${one.opsPort()}/readyz`)).status).toBe(200);
    }
  });

  describe('at every limit of a list', () => {
    let tools: Endpoint[];
    let turn = 0;

    beforeAll(async () => {
      await freshMeters();
      tools = await Promise.all(keys.slice(3, 5).map((key) => mcpEndpoint(stack, key)));
    });
    afterAll(() => Promise.all(tools.map((endpoint) => endpoint.close())));

    /** The same list over both transports, each with its own minute window. */
    const both = async (sent: Sent) => {
      turn += 1;
      await freshMeters();
      const rest = await ask(stack, keys[turn % 3] ?? '', 'creators_search', sent as never);
      const tool = await tools[turn % 2]?.call('creators_search', sent);
      return { rest, tool };
    };

    it.each(TAKEN)('accepts %j over both transports', async (sent) => {
      const { rest, tool } = await both(sent);
      expect(rest.status).toBe(200);
      expect(tool).toMatchObject({ status: 200, value: rest.body });
    });

    it.each(REFUSED)('refuses %j over both transports, naming %j', async (sent, fields) => {
      proves('creators.bad-query');
      const { rest, tool } = await both(sent);
      const problemsOf = (body: unknown) => {
        const { error } = ErrorResource.parse(body);
        return (error.details?.['problems'] ?? []) as { field: string; message: string }[];
      };
      expect(rest.status).toBe(400);
      expect(
        problemsOf(rest.body)
          .map(({ field }) => field)
          .sort(byName),
      ).toEqual([...fields]);
      expect(tool?.status).toBe(400);
      // A tool also takes `view`.
      const asRest = problemsOf(tool?.value).map((one) => ({ ...one, message: one.message.replace(/, view$/, '') }));
      expect(asRest).toEqual(problemsOf(rest.body));
      for (const { message } of problemsOf(rest.body)) expect(message.length).toBeLessThan(1_000);
    });

    it('refuses a parameter that is sent twice', async () => {
      const url = new URL('creators?limit=5&q=a&limit=5', `${stack.apiUrl}/`);
      const response = await fetch(url, { headers: { authorization: `Bearer ${keys[0]}` } });
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({ error: { details: { problems: [{ field: 'limit' }] } } });
    });
  });
});
