// @night: compares times, which takes many samples.
import { crc32 } from 'node:zlib';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { LOOKUP_STEP_MS, VISIT_STEP_MS } from '../../edge/even-time.js';
import { type Brand, makeBrand } from '../../test/edge-app.js';
import { signIn } from '../../test/people.js';
import { testEdge } from '../../test/suite.js';
import { toBase62 } from '../keys/base62.js';
import { newKey, readKey } from '../keys/key-format.js';

/** `npm run test:deep` takes 10,000 of each. */
const SAMPLES = Number(process.env['CDS_TIMING_SAMPLES'] ?? 500);
const WARM = 48;

/**
 * How far two samples differ, in standard deviations of the Mann-Whitney statistic. Beyond 4, chance explains it once
 * in 16,000 runs. With 500 of each, 4 is an effect of 0.15: one is the slower in 57 of 100 pairs; with 10,000, in 52.
 */
const deviations = (one: readonly number[], other: readonly number[]): number => {
  const ranked = [...one.map((ms) => ({ ms, first: true })), ...other.map((ms) => ({ ms, first: false }))].sort(
    (a, b) => a.ms - b.ms,
  );
  const ranks = ranked.reduce((sum, { first }, index) => (first ? sum + index + 1 : sum), 0);
  const u = ranks - (one.length * (one.length + 1)) / 2;
  const pairs = one.length * other.length;
  return (u - pairs / 2) / Math.sqrt((pairs * (one.length + other.length + 1)) / 12);
};

/** Requests that are sent at once; they mostly wait for the end of a step. */
const BATCH = 8;

type Timed = { differ: number; fastest: number };

/** How far the times of two kinds of request differ. Both meet the same load: each batch has as many of either. */
const timedTogether = async (
  request: (isKnown: boolean, n: number) => Promise<number>,
  before: () => Promise<unknown> = async () => undefined,
): Promise<Timed> => {
  const batch = async (from: number) => {
    await before();
    return Promise.all(
      Array.from({ length: BATCH }, async (_none, at) => {
        // Neither kind is always sent first.
        const isKnown = (at + from / BATCH) % 2 === 0;
        return { isKnown, ms: await request(isKnown, from + at) };
      }),
    );
  };
  for (let n = -WARM; n < 0; n += BATCH) await batch(n);
  const times: { isKnown: boolean; ms: number }[] = [];
  for (let n = 0; n < 2 * SAMPLES; n += BATCH) times.push(...(await batch(n)));
  const of = (kind: boolean) => times.filter(({ isKnown }) => isKnown === kind).map(({ ms }) => ms);
  return { differ: Math.abs(deviations(of(true), of(false))), fastest: Math.min(...of(true), ...of(false)) };
};

const withChecksum = (head: string): string => head + toBase62(crc32(head), 6);

test('the statistic sees one sample that is slower', () => {
  const fast = Array.from({ length: 100 }, (_none, n) => n);
  expect(Math.abs(deviations(fast, fast))).toBeLessThan(1);
  expect(
    deviations(
      fast,
      fast.map((ms) => ms + 40),
    ),
  ).toBeLessThan(-4);
});

/**
 * Known and unknown addresses and keys take the same time (docs/domain/sign-in.md#sign-in,
 * docs/domain/sign-in.md#sign-up, docs/reliability.md#authentication).
 */
describe(`the time of ${SAMPLES} known and ${SAMPLES} unknown addresses and keys does not differ`, () => {
  const edge = testEdge('timing');
  let brand: Brand;
  let known: string;
  beforeAll(async () => {
    brand = await makeBrand(edge);
    ({ email: known } = await signIn(edge, brand));
  });

  const forget = (collection: string) => edge.shell.store.db.collection(collection).deleteMany({});
  /** An address of which nobody has heard, as long as the known one. */
  const unknown = (n: number): string => {
    const at = known.indexOf('@');
    return `${String(n).padStart(at, 'n').slice(-at)}${known.slice(at)}`;
  };
  let clients = 0;
  /** The time of one request without a network, each from a client address of its own, so that no window fills. */
  const timedRequest = async (
    status: number,
    { headers = {}, ...request }: { method: 'GET' | 'POST'; url: string; headers?: object; payload?: object },
  ): Promise<number> => {
    clients += 1;
    const remoteAddress = `10.${(clients >> 16) & 255}.${(clients >> 8) & 255}.${clients & 255}`;
    const sent = { ...request, headers: { host: new URL(edge.url).host, ...headers }, remoteAddress };
    const start = performance.now();
    const { statusCode } = await edge.app.inject(sent);
    const took = performance.now() - start;
    expect(statusCode).toBe(status);
    return took;
  };
  const timed = (url: string, payload: Record<string, string>): Promise<number> =>
    timedRequest(202, { method: 'POST', url, payload });
  const limit = 60_000 + SAMPLES * 400;

  test(
    'in a sign-in',
    async () => {
      const { differ, fastest } = await timedTogether(
        (isKnown) => timed('/api/brand/sign-in', { email: isKnown ? known : unknown(0) }),
        // A mailbox gets five links, known or not, and a batch has four for each.
        () => forget('quotas'),
      );
      expect(differ).toBeLessThan(4);
      expect(fastest).toBeGreaterThanOrEqual(VISIT_STEP_MS);
    },
    limit,
  );

  test(
    'in a sign-up',
    async () => {
      const company = (kind: string, n: number) => `Company ${kind} ${String(n).padStart(6, '0')}`;
      const { differ, fastest } = await timedTogether((isKnown, n) =>
        timed('/api/signup', {
          company: company(isKnown ? 'a' : 'b', n),
          website: 'https://company.example',
          name: 'Ada Lovelace',
          // A sign-up makes its address known, so each unknown one is new.
          email: isKnown ? known : unknown(n),
        }),
      );
      expect(differ).toBeLessThan(4);
      expect(fastest).toBeGreaterThanOrEqual(VISIT_STEP_MS);
    },
    limit,
  );

  test(
    'in a request by a key with a wrong secret',
    async () => {
      const existing = readKey(brand.live['full'] ?? '')?.publicId ?? '';
      let absent = '';
      // A batch tries several secrets for either id.
      const { differ, fastest } = await timedTogether(
        (isKnown) => {
          const { text, publicId } = newKey(false);
          const key = withChecksum(text.slice(0, -6).replace(publicId, isKnown ? existing : absent));
          const headers = { authorization: `Bearer ${key}` };
          return timedRequest(401, { method: 'GET', url: '/api/v1/inventory', headers });
        },
        async () => {
          absent = newKey(false).publicId;
        },
      );
      expect(differ).toBeLessThan(4);
      expect(fastest).toBeGreaterThanOrEqual(LOOKUP_STEP_MS);
    },
    limit,
  );
});
