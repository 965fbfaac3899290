import { crc32 } from 'node:zlib';
import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { BASE62, toBase62 } from '../../accounts/keys/base62.js';
import { newOperatorToken } from '../../accounts/operators/operator-token.js';
import { type Brand, makeBrand, OPS_TOKEN } from '../../test/edge-app.js';
import { ask, askRaw, errorOf, freshKey } from '../../test/http.js';
import { signIn } from '../../test/people.js';
import { testEdge } from '../../test/suite.js';

/** Attacks on credentials (docs/domain/access.md#keys, docs/domain/access.md#endpoints). */
describe('credentials under attack', () => {
  const edge = testEdge('gateway_attacks');
  let brand: Brand;
  const reads: string[] = [];

  beforeAll(async () => {
    edge.shell.store.onCommand(({ commandName, command }) => {
      if (command[commandName] === 'keys') reads.push(commandName);
    });
  });
  beforeEach(async () => {
    brand = await makeBrand(edge);
    reads.length = 0;
  });

  const key = (): string => brand.live['full'] ?? '';
  const inventory = (by: string) => ask(edge.url, '/api/v1/inventory', { key: by });
  /** The next character of the alphabet. */
  const other = (letter: string): string => BASE62[(BASE62.indexOf(letter) + 1) % BASE62.length] ?? '';
  const withChecksum = (head: string): string => head + toBase62(crc32(head), 6);

  test('a key with any one of its characters wrong is 401, and nothing is looked up', async () => {
    const good = key();
    for (let at = 0; at < good.length; at += 1) {
      const letter = good[at] ?? '';
      const wrong = `${good.slice(0, at)}${letter === '_' ? '-' : other(letter)}${good.slice(at + 1)}`;
      const answer = await inventory(wrong);
      expect([at, answer.status, answer.headers.get('ratelimit-limit')]).toEqual([at, 401, null]);
    }
    expect(reads).toEqual([]);
    expect((await inventory(good)).status).toBe(200);
  });

  test('a key whose checksum is right but one character of id or secret is not, is 401 and counts nothing', async () => {
    const head = key().slice(0, -6);
    for (let at = 9; at < head.length; at += 1) {
      if (head[at] === '_') continue;
      const wrong = withChecksum(`${head.slice(0, at)}${other(head[at] ?? '')}${head.slice(at + 1)}`);
      expect([at, (await inventory(wrong)).status]).toEqual([at, 401]);
    }
    const answer = await inventory(key());
    expect([answer.status, answer.headers.get('ratelimit-remaining')]).toEqual([200, '59']);
  });

  test('live and test never meet: the kind is part of the key', async () => {
    const head = key().slice(0, -6);
    expect((await inventory(withChecksum(head.replace('cds_live_', 'cds_test_')))).status).toBe(401);
    const sandbox = (brand.sandbox['full'] ?? '').slice(0, -6);
    expect((await inventory(withChecksum(sandbox.replace('cds_test_', 'cds_live_')))).status).toBe(401);
  });

  test.each([
    ['two headers, both right', (k: string) => `Authorization: Bearer ${k}\r\nAuthorization: Bearer ${k}`],
    ['two headers, one wrong', (k: string) => `Authorization: Bearer ${k}\r\nauthorization: Bearer x`],
    ['two values in one header', (k: string) => `Authorization: Bearer ${k}, Bearer ${k}`],
    ['another scheme', (k: string) => `Authorization: Basic ${Buffer.from(`${k}:`).toString('base64')}`],
    ['no scheme', (k: string) => `Authorization: ${k}`],
    ['a scheme without a space', (k: string) => `Authorization: Bearer${k}`],
    ['a quoted key', (k: string) => `Authorization: Bearer "${k}"`],
    ['a header of another name', (k: string) => `X-Api-Key: ${k}`],
    ['a proxy’s header', (k: string) => `Proxy-Authorization: Bearer ${k}`],
    ['a cookie of that name', (k: string) => `Cookie: cds_session=${k}`],
  ])('%s opens neither REST nor MCP', async (_name, header) => {
    const { host } = new URL(edge.url);
    const lines = `Host: ${host}\r\nConnection: close\r\n${header(key())}\r\n`;
    expect(await askRaw(edge.url, `GET /api/v1/inventory HTTP/1.1\r\n${lines}\r\n`)).toMatch(/^HTTP\/1\.1 401 /);
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
    const typed = `${lines}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n`;
    // A request with a session's cookie but without an Origin is refused before its credential is read: 403.
    expect(await askRaw(edge.url, `POST /api/mcp HTTP/1.1\r\n${typed}\r\n${body}`)).toMatch(/^HTTP\/1\.1 40[13] /);
  });

  describe('a key in another place than the header', () => {
    test.each(['key', 'api_key', 'access_token', 'authorization', 'token'])(
      'as %s in query, body or argument is never read, and refused beside a good one without being repeated',
      async (field) => {
        const stolen = brand.live['writer'] ?? '';
        expect((await ask(edge.url, `/api/v1/inventory?${field}=${stolen}`)).status).toBe(401);
        expect(reads).toEqual([]);
        const rest = await ask(edge.url, `/api/v1/inventory?${field}=${stolen}`, { key: key() });
        expect([rest.status, errorOf(rest).fields]).toEqual([400, [field]]);
        const body = await ask(edge.url, '/api/v1/feedback', {
          method: 'POST',
          key: key(),
          body: { message: 'x', [field]: stolen },
        });
        expect([body.status, errorOf(body).fields]).toEqual([400, [field]]);
        const tool = await ask(edge.url, '/api/mcp', {
          method: 'POST',
          key: key(),
          body: {
            jsonrpc: '2.0',
            id: 1,
            method: 'tools/call',
            params: { name: 'inventory', arguments: { [field]: stolen } },
          },
        });
        expect(tool.text).toContain('bad_request');
        for (const answer of [rest, body, tool]) expect(answer.text).not.toContain(stolen);
        // Nothing was counted for the key that was only mentioned.
        expect((await inventory(stolen)).headers.get('ratelimit-remaining')).toBe('59');
      },
    );

    test('as a field’s name is not repeated either', async () => {
      const answer = await ask(edge.url, `/api/v1/inventory?${key()}=1`, { key: key() });
      expect(answer.status).toBe(400);
      expect(answer.text).not.toContain(key());
    });
  });

  /** A path of each prefix, and whose credential opens it. */
  const PREFIXES = [
    ['GET', '/api/v1/inventory', ['live key', 'test key', 'session']],
    ['GET', '/api/keys/usage', ['live key', 'test key', 'session']],
    ['POST', '/api/mcp', ['live key', 'test key']],
    ['GET', '/api/brand/me', ['session']],
    ['GET', '/api/brand/keys', ['session']],
    ['GET', '/api/ops/tasks', ['operator token', 'configured token']],
    ['GET', '/api/sandbox/clock', ['test key']],
  ] as const;

  test.each(PREFIXES)(
    '%s %s takes its own audience’s credentials, and any other is 401',
    async (method, path, opens) => {
      const session = await signIn(edge, brand, 'owner');
      const made = await ask(edge.url, '/api/ops/tokens', {
        method: 'POST',
        key: OPS_TOKEN,
        body: { name: `viewer ${path}`, role: 'viewer', reason: 'a test' },
        headers: { 'idempotency-key': freshKey() },
      });
      expect(made.status).toBe(201);
      const unknownToken = newOperatorToken(edge.deps.peppers).text;
      const bearers: [string, string][] = [
        ['live key', key()],
        ['test key', brand.sandbox['full'] ?? ''],
        ['operator token', String((made.json as { secret: string }).secret)],
        ['unknown operator token', unknownToken],
        ['configured token', OPS_TOKEN],
      ];
      const body = method === 'POST' ? { body: { jsonrpc: '2.0', id: 1, method: 'tools/list' } } : {};
      const statuses: Record<string, number> = {};
      for (const [name, bearer] of bearers)
        statuses[name] = (await ask(edge.url, path, { method, key: bearer, ...body })).status;
      const headers = { origin: edge.url };
      statuses['session'] = (await ask(edge.url, path, { method, cookie: session.cookie, headers, ...body })).status;
      const opened = Object.keys(statuses).filter((name) => statuses[name] !== 401);
      // A live key and a session of a live workspace are known to the sandbox, and refused there.
      const known = path.startsWith('/api/sandbox') ? opened.filter((name) => statuses[name] !== 403) : opened;
      expect(new Set(known)).toEqual(new Set(opens));
    },
  );

  test('a good key stays served while a thousand bad secrets for it are tried at once', async () => {
    const head = key().slice(0, 22);
    const bad = (at: number) => withChecksum(`${head}${toBase62(at + 1, 43)}`);
    const attacks = Promise.all(Array.from({ length: 1_000 }, (_none, at) => inventory(bad(at))));
    const served: number[] = [];
    for (let at = 0; at < 40; at += 1) served.push((await inventory(key())).status);
    // Under such a load some attacks may get 503, but none is ever served.
    const refused = new Set((await attacks).map(({ status }) => status));
    refused.delete(503);
    expect(refused).toEqual(new Set([401]));
    expect(new Set(served)).toEqual(new Set([200]));
    const last = await inventory(key());
    expect([last.status, last.headers.get('ratelimit-remaining')]).toEqual([
      200,
      expect.stringMatching(/^(19|[2-5]\d)$/),
    ]);
  }, 60_000);
});
