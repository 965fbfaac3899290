import { beforeAll, describe, expect, test } from '@jest/globals';
import type { EdgeApp } from '../test/edge-app.js';
import { type Ask, ask, askRaw, errorOf, type HttpAnswer } from '../test/http.js';
import { testEdge } from '../test/suite.js';

/** Every test's peer is loopback; the apps differ in whether that is a trusted proxy. */
const CLIENT = '203.0.113.9';
const FORGED = '198.51.100.66';

/** The id of the one window in which a request counts. */
const windowOf = async (edge: EdgeApp, forwarded?: string, path = '/'): Promise<string> => {
  edge.counters.reset();
  await ask(edge.url, path, forwarded === undefined ? {} : { headers: { 'x-forwarded-for': forwarded } });
  const ids = edge.counters.counted;
  expect(ids).toHaveLength(1);
  return ids[0] ?? '';
};

describe('behind a trusted proxy (invariants.yaml, docs/reliability.md#threats)', () => {
  const edge = testEdge('gateway_proxied', 'test', ['127.0.0.0/8', '10.0.0.0/8', 'fd00::/8']);

  test('every client has its own window, and so has the proxy', async () => {
    const seen = [await windowOf(edge), await windowOf(edge, CLIENT), await windowOf(edge, '203.0.113.10')];
    expect(new Set(seen).size).toBe(3);
  });

  test.each([
    ['a forged left-most entry', `${FORGED}, ${CLIENT}`],
    ['a forged entry that looks like a proxy', `10.0.0.1, ${CLIENT}`],
    ['many forged entries', `${`${FORGED},`.repeat(200)}${CLIENT}`],
    ['forged text', `unknown, ;,, ${CLIENT}`],
    ['a second trusted proxy', `${CLIENT}, 10.0.0.1`],
    ['a chain of trusted proxies of both families', `${FORGED}, ${CLIENT}, fd00::1, 10.0.0.1`],
    ['a trusted proxy in mapped form', `${CLIENT}, ::ffff:10.0.0.1`],
  ])('%s changes nothing', async (_name, forwarded) => {
    expect(await windowOf(edge, forwarded)).toBe(await windowOf(edge, CLIENT));
  });

  test('a header sent twice reads as one list', async () => {
    const answer = async (lines: string) => {
      edge.counters.reset();
      const { host } = new URL(edge.url);
      await askRaw(edge.url, `GET / HTTP/1.1\r\nHost: ${host}\r\n${lines}Connection: close\r\n\r\n`);
      return edge.counters.counted;
    };
    const twice = await answer(`X-Forwarded-For: ${FORGED}\r\nX-Forwarded-For: ${CLIENT}\r\n`);
    expect(twice).toHaveLength(1);
    expect(twice).toEqual(await answer(`X-Forwarded-For: ${CLIENT}\r\n`));
  });

  test('IPv6 clients count by their /64', async () => {
    const own = await windowOf(edge, '2001:db8:1:2::1');
    expect(await windowOf(edge, '2001:db8:1:2:ffff:ffff:ffff:ffff')).toBe(own);
    expect(await windowOf(edge, '2001:0DB8:1:2:0::7')).toBe(own);
    expect(await windowOf(edge, '2001:db8:1:3::1')).not.toBe(own);
  });

  test('Forwarded and X-Real-IP are not read', async () => {
    edge.counters.reset();
    await ask(edge.url, '/', { headers: { forwarded: `for=${FORGED}`, 'x-real-ip': FORGED } });
    const [id] = edge.counters.counted;
    expect(id).toBe(await windowOf(edge));
  });

  describe('Host and scheme', () => {
    const own = () => new URL(edge.url).host;
    const raw = (host: string, headers: string, line = 'GET / HTTP/1.1') =>
      askRaw(edge.url, `${line}\r\nHost: ${host}\r\n${headers}Connection: close\r\n\r\n`);

    test('a forwarded host does not replace a foreign Host', async () => {
      const forwarded = `X-Forwarded-Host: ${own()}\r\nX-Forwarded-Proto: https\r\nX-Forwarded-For: ${CLIENT}\r\n`;
      expect(await raw('evil.example', forwarded)).toMatch(/^HTTP\/1\.1 403 /);
    });

    test('a forged forwarded host changes nothing, and no answer repeats it', async () => {
      const forged = 'X-Forwarded-Host: evil.example\r\nX-Forwarded-Proto: gopher\r\n';
      const home = await raw(own(), forged);
      expect(home).toMatch(/^HTTP\/1\.1 200 /);
      const challenged = await raw(own(), `${forged}Content-Length: 0\r\n`, 'POST /api/mcp HTTP/1.1');
      expect(challenged).toContain('resource_metadata="http://app.test/');
      for (const answer of [home, challenged]) expect(answer).not.toMatch(/evil\.example|gopher/);
    });

    test('a form from another site stays foreign whatever host is forwarded', async () => {
      const answer = await raw(
        own(),
        'Origin: https://evil.example\r\nX-Forwarded-Host: evil.example\r\nX-Forwarded-Proto: https\r\n',
        `POST /pay/${'a'.repeat(43)}/checkout HTTP/1.1`,
      );
      expect(answer).toMatch(/^HTTP\/1\.1 403 /);
    });
  });
});

describe.each([
  ['without trusted proxies', []],
  ['from a peer that is not a trusted proxy', ['10.0.0.0/8', '203.0.113.0/24', 'fd00::/8']],
])('%s', (_name, proxies) => {
  const edge = testEdge('gateway_direct', 'test', proxies);

  test.each([FORGED, `${FORGED}, ${CLIENT}`, `${FORGED}, 10.0.0.1`, '127.0.0.1', '::1', 'unknown'])(
    'a forged X-Forwarded-For %j changes nothing',
    async (forwarded) => {
      expect(await windowOf(edge, forwarded)).toBe(await windowOf(edge));
    },
  );
});

describe('windows of a client address (docs/domain/requests.md#rate-limits)', () => {
  const edge = testEdge('gateway_windows', 'test', ['127.0.0.0/8']);
  beforeAll(async () => {
    edge.answer('rail_event', () => ({ received: true }));
    edge.answer('network_facts', () => ({ approved: 1, priced: 1, as_of: '2026-11-21T12:00:00.000Z' }));
  });

  const as = (client: string, { headers = {}, ...more }: Ask = {}): Ask => ({
    ...more,
    headers: { 'x-forwarded-for': client, ...headers },
  });
  const rail = (client: string): Promise<HttpAnswer> =>
    ask(edge.url, '/api/rails/stripe/events', as(client, { method: 'POST', raw: '{}' }));
  const facts = (client: string): Promise<HttpAnswer> => ask(edge.url, '/api/network/facts', as(client));
  const home = (client: string): Promise<HttpAnswer> => ask(edge.url, '/', as(client));

  /** Uses a window up to its last request, for this minute of the database's clock and the next. */
  const useUp = async (name: string, limit: number) => {
    const id = edge.counters.counted.find((one) => one.startsWith(`${name}:`)) ?? '';
    edge.counters.reset();
    await edge.counters.use(id, limit - 1);
  };

  test.each([
    ['callbacks of rails', 'rails', 1_200, rail],
    ['network facts', 'facts', 120, facts],
    ['pages', 'address', 120, home],
  ] as const)(
    '%s: the last request is served, and the next one refused for this client and path only',
    async (_name, name, limit, send) => {
      edge.counters.reset();
      const first = await send(CLIENT);
      expect([first.status, first.headers.get('ratelimit-limit')]).toEqual([200, String(limit)]);
      await useUp(name, limit);

      const last = await send(CLIENT);
      expect([last.status, last.headers.get('ratelimit-remaining')]).toEqual([200, '0']);
      const sentBefore = edge.sent.length;
      const refused = await send(CLIENT);
      expect([refused.status, edge.sent.length]).toEqual([429, sentBefore]);
      const wait = Number(refused.headers.get('retry-after'));
      expect(wait).toBeGreaterThanOrEqual(1);
      expect(wait).toBe(Number(refused.headers.get('ratelimit-reset')));

      expect((await send(FORGED)).status).toBe(200);
      for (const other of [rail, facts, home].filter((one) => one !== send))
        expect((await other(CLIENT)).status).toBe(200);
    },
  );

  test('a refusal of rails and network facts names its reason, scope, limit and reset', async () => {
    for (const [name, limit, send] of [
      ['rails', 1_200, rail],
      ['facts', 120, facts],
    ] as const) {
      await send(CLIENT);
      await useUp(name, limit);
      await send(CLIENT);
      const { code, details } = errorOf(await send(CLIENT));
      expect([code, details]).toEqual([
        'rate_limited',
        {
          reason: 'request_rate',
          scope: 'address',
          limit,
          resets_at: expect.any(String),
          retry_after: expect.any(Number),
        },
      ]);
    }
  });

  test('a refused rail is served again after its window', async () => {
    await rail(CLIENT);
    await useUp('rails', 1_200);
    await rail(CLIENT);
    expect((await rail(CLIENT)).status).toBe(429);
    edge.counters.reset();
    expect((await rail(CLIENT)).status).toBe(200);
  });
});
