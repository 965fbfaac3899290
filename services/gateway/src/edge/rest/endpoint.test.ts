import { AppError, conflict, unavailable } from '@cds/contracts';
import { proves } from '@cds/contracts/testing';
import { encodeError, encodeOk } from '@cds/service';
import { describe, expect, test } from '@jest/globals';
import { type Brand, makeBrand, OPS_TOKEN, startEdgeApp } from '../../test/edge-app.js';
import { ask, askRaw, askUntil, errorOf, freshKey } from '../../test/http.js';
import { testEdge } from '../../test/suite.js';

const ID = '0b6cbb3e-6f0a-4f5e-9d5e-6a1b7b1b7b1b';
const CAMPAIGN = {
  goal: 'launch',
  product: 'p',
  moment: 'm',
  window_start: '2027-01-01',
  window_end: '2027-01-02',
  budget_usd: 100,
};
/** What Node reads of headers (server.ts). */
const MAX_HEADERS = 32_768;
const RATE = ['ratelimit', 'ratelimit-limit', 'ratelimit-policy', 'ratelimit-remaining', 'ratelimit-reset'];

describe('the REST endpoint', () => {
  const edge = testEdge('gateway_app');
  let brand: Brand;

  const fresh = async (): Promise<Brand> => {
    brand = await makeBrand(edge);
    return brand;
  };
  const rateHeadersOf = (headers: Headers) => [...headers.keys()].filter((name) => name.startsWith('ratelimit'));
  const write = (path: string, key: string | undefined, body: unknown, headers: Record<string, string> = {}) =>
    ask(edge.url, path, {
      method: 'POST',
      body,
      headers: { 'idempotency-key': freshKey(), ...headers },
      ...(key === undefined ? {} : { key }),
    });

  describe('steps 1 to 4 cost nothing and carry no rate headers', () => {
    test('1: another host is 403', async () => {
      const answer = await askRaw(edge.url, 'GET /livez HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n');
      expect(answer).toMatch(/^HTTP\/1\.1 403 /);
      expect(answer).toContain('"code":"forbidden"');
      expect(answer.toLowerCase()).toContain('x-request-id: req_');
    });

    test.each([
      ['an unknown method', 'FETCH /livez HTTP/1.1', 501, 'method_not_allowed'],
      ['a method in lower case', 'get /livez HTTP/1.1', 501, 'method_not_allowed'],
      ['a method of RTSP', 'DESCRIBE /livez HTTP/1.1', 501, 'method_not_allowed'],
      ['CONNECT', 'CONNECT example.com:443 HTTP/1.1', 501, 'method_not_allowed'],
      ['a line that is no request', 'livez', 400, 'bad_request'],
      ['a target with a space', 'GET /livez now HTTP/1.1', 400, 'bad_request'],
      ['a method that is no token', 'G@T /livez HTTP/1.1', 400, 'bad_request'],
      ['an unknown version of HTTP', 'GET /livez HTTP/1.7', 400, 'bad_request'],
      ['a header name with a space', 'GET /livez HTTP/1.1\r\nHo st: x', 400, 'bad_request'],
      ['a header value with a control character', 'GET /livez HTTP/1.1\r\nX: a\x01b', 400, 'bad_request'],
      ['a length that is no number', 'POST /livez HTTP/1.1\r\nContent-Length: x', 400, 'bad_request'],
      ['two lengths', 'POST /livez HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2', 400, 'bad_request'],
      [
        'a length beside chunks',
        'POST /livez HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked',
        400,
        'bad_request',
      ],
      ['no Host', 'GET /livez HTTP/1.1', 400, 'bad_request'],
      ['two Hosts', 'GET /livez HTTP/1.1\r\nHost: x\r\nHost: x', 400, 'bad_request'],
      [
        'headers that are too large',
        `GET /livez HTTP/1.1\r\nHost: ${'h'.repeat(MAX_HEADERS + 1_000)}`,
        431,
        'bad_request',
      ],
    ])('%s is answered in our own words, with the id of the request', async (_name, line, status, code) => {
      const [first = '', ...rest] = line.split('\r\n');
      const answer = await askRaw(
        edge.url,
        [first, 'x-request-id: request-of-mine', ...rest, 'Connection: close', '', ''].join('\r\n'),
      );
      expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
      expect(answer).toContain(`"code":"${code}"`);
      if (first.includes('HTTP/')) expect(answer).toContain('x-request-id: request-of-mine');
      expect(answer).not.toContain('Allow:');
    });

    test('bytes after a request are answered for themselves', async () => {
      const { host } = new URL(edge.url);
      const answer = await askRaw(edge.url, `GET /livez HTTP/1.1\r\nHost: ${host}\r\n\r\nF@TCH`);
      expect(answer).toMatch(/HTTP\/1\.1 400 /);
      expect(answer).not.toMatch(/HTTP\/1\.1 501 /);
    });

    test('a target in absolute form is answered, and its host counts', async () => {
      const { host } = new URL(edge.url);
      const of = (target: string) =>
        askRaw(edge.url, `GET ${target} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
      expect(await of(`http://${host}/livez?x=1`)).toMatch(/^HTTP\/1\.1 200 /);
      expect(await of('http://evil.example/livez')).toMatch(/^HTTP\/1\.1 403 /);
      expect(await of(`http://${host}`)).toMatch(/^HTTP\/1\.1 200 /);
    });

    test.each(['/nothing', '/api/v1/inventory/', '/api/mcp/guests', '/%'])(
      '2: %s is 404 without a credential',
      async (path) => {
        const answer = await ask(edge.url, path);
        expect([answer.status, errorOf(answer).code]).toEqual([404, 'not_found']);
        expect(rateHeadersOf(answer.headers)).toEqual([]);
      },
    );

    test.each([
      ['HEAD', '/api/v1/inventory', 'GET'],
      ['OPTIONS', '/api/v1/campaigns', 'GET, POST'],
      ['PUT', '/api/v1/campaigns', 'GET, POST'],
      ['DELETE', '/api/v1/inventory', 'GET'],
      ['POST', '/livez', 'GET, HEAD'],
      ['OPTIONS', '/livez', 'GET, HEAD'],
      ['PATCH', '/api/network/facts', 'GET'],
    ])('3: %s %s is 405 with Allow', async (method, path, allow) => {
      proves('errors.405');
      const answer = await ask(edge.url, path, { method });
      expect(answer.status).toBe(405);
      expect(answer.headers.get('allow')).toBe(allow);
      expect(answer.headers.get('x-request-id')).toMatch(/^req_/);
      expect(rateHeadersOf(answer.headers)).toEqual([]);
    });

    test.each([
      ['no header', {}],
      ['another scheme', { authorization: 'Basic eDp5' }],
      ['no token', { authorization: 'Bearer' }],
      ['no key', { authorization: 'Bearer abc' }],
      [
        'an unknown key',
        { authorization: 'Bearer cds_live_000000000000_0000000000000000000000000000000000000000000abcdef' },
      ],
      ['the operator’s token', { authorization: `Bearer ${OPS_TOKEN}` }],
    ])('4: %s is 401 with the plain challenge', async (_name, headers) => {
      const answer = await ask(edge.url, '/api/v1/inventory', { headers: headers as Record<string, string> });
      expect([answer.status, errorOf(answer).code]).toEqual([401, 'unauthorized']);
      expect(answer.headers.get('www-authenticate')).toBe('Bearer');
      expect(rateHeadersOf(answer.headers)).toEqual([]);
    });

    test('4: the scheme is case-insensitive', async () => {
      const headers = { authorization: `bEARER ${(await fresh()).live['full']}` };
      expect((await ask(edge.url, '/api/v1/inventory', { headers })).status).toBe(200);
    });
  });

  describe('step 5: the minute window', () => {
    test('the sixty-first request of a minute is 429, before scope and shape', async () => {
      const { live } = await fresh();
      let answer = await ask(edge.url, '/api/v1/campaigns?x=1', { key: live['narrow'] ?? '' });
      for (let sent = 0; answer.status === 403 && sent < 140; sent += 1)
        answer = await ask(edge.url, '/api/v1/campaigns?x=1', { key: live['narrow'] ?? '' });

      const { code, details } = errorOf(answer);
      expect([answer.status, code]).toEqual([429, 'rate_limited']);
      expect(details).toEqual({
        reason: 'request_rate',
        scope: 'key',
        limit: 60,
        resets_at: expect.stringMatching(/:00\.000Z$/),
        retry_after: Number(answer.headers.get('retry-after')),
      });
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThanOrEqual(
        Number(answer.headers.get('ratelimit-reset')),
      );
      expect(answer.headers.get('ratelimit-remaining')).toBe('0');
    });
  });

  test('step 6: a suspended workspace is 403 with rate headers', async () => {
    const { live, workspaces } = await fresh();
    await edge.changeKeys({ ws: workspaces.live }, { suspended: true });
    const answer = await ask(edge.url, '/api/v1/inventory', { key: live['full'] ?? '' });
    expect([answer.status, errorOf(answer).code]).toEqual([403, 'forbidden']);
    expect(answer.headers.get('www-authenticate')).toBeNull();
    expect(rateHeadersOf(answer.headers)).toEqual(RATE);
  });

  describe('step 7: scopes', () => {
    test('a sandbox operation is 403 in a live workspace, without a challenge', async () => {
      const { live, sandbox } = await fresh();
      const answer = await ask(edge.url, '/api/sandbox/clock', { key: live['full'] ?? '' });
      expect([answer.status, errorOf(answer).code, answer.headers.get('www-authenticate')]).toEqual([
        403,
        'forbidden',
        null,
      ]);
      expect((await ask(edge.url, '/api/sandbox/clock', { key: sandbox['narrow'] ?? '' })).status).toBe(200);
      const line = await write(`/api/sandbox/lines/${ID}/answer`, live['full'], { answer: 'accept' });
      expect(line.status).toBe(403);
    });
  });

  describe('steps 8 to 10: key, shape, values', () => {
    test('8 and 9: a missing key and all missing fields are named at once', async () => {
      const { live } = await fresh();
      const key = live['full'] ?? '';
      const answer = await ask(edge.url, '/api/v1/campaigns', { method: 'POST', key, body: { goal: 'nothing' } });
      expect([answer.status, errorOf(answer).fields]).toEqual([
        400,
        ['Idempotency-Key', 'product', 'moment', 'window_start', 'window_end', 'budget_usd'],
      ]);
    });

    test.each([65_537, 1_000_000])('9: a body of %i bytes is 400', async (bytes) => {
      const answer = await ask(edge.url, '/api/v1/campaigns', {
        method: 'POST',
        key: (await fresh()).live['full'] ?? '',
        raw: `"${'x'.repeat(bytes - 2)}"`,
        headers: { 'idempotency-key': freshKey(), 'content-type': 'application/json' },
      });
      expect([answer.status, errorOf(answer).fields]).toEqual([400, ['body']]);
    });

    test('10: a body that is exactly 64 KiB is read', async () => {
      const { live } = await fresh();
      const frame = JSON.stringify({ message: '' });
      const answer = await ask(edge.url, '/api/v1/feedback', {
        method: 'POST',
        key: live['full'] ?? '',
        raw: JSON.stringify({ message: 'x'.repeat(65_536 - frame.length) }),
        headers: { 'content-type': 'application/json' },
      });
      expect([answer.status, errorOf(answer).fields]).toEqual([422, ['message']]);
    });

    test('10: problems that only the owning service knows are named with the others, missing fields first', async () => {
      const { live } = await fresh();
      edge.answer('campaign_input_problems', (_ctx, { sent }) => {
        expect(sent).toEqual({ product: 'p', window_start: '2020-01-01', budget_usd: -1 });
        return {
          problems: [
            { field: 'audience', message: 'is required' },
            { field: 'window_start', message: 'must be today or later' },
            { field: 'budget_usd', message: 'is already named by the edge' },
          ],
        };
      });
      const body = { product: 'p', window_start: '2020-01-01', budget_usd: -1 };
      const answer = await write('/api/v1/campaigns', live['full'], body);
      expect([answer.status, errorOf(answer).fields]).toEqual([
        422,
        ['goal', 'moment', 'window_end', 'audience', 'window_start', 'budget_usd'],
      ]);
      expect(answer.text).not.toContain('already named by the edge');

      edge.answer('campaign_input_problems', () => {
        throw unavailable('m');
      });
      expect((await write('/api/v1/campaigns', live['full'], body)).status).toBe(503);
      edge.answer('campaign_input_problems', () => ({ problems: [] }));
    });

    test('a body on GET and DELETE is ignored', async () => {
      const { live } = await fresh();
      const answer = await ask(edge.url, `/api/v1/plans/${ID}/lines/${ID}`, {
        method: 'DELETE',
        key: live['full'] ?? '',
        raw: '{{{',
        headers: { 'idempotency-key': freshKey(), 'content-type': 'nonsense' },
      });
      expect(answer.status).toBe(200);
      expect(edge.sent.at(-1)).toMatchObject({ name: 'plan_remove_creator', input: { id: ID, line_id: ID } });
    });
  });

  describe('step 11: the command', () => {
    test('the same Idempotency-Key at another service is idempotency_conflict', async () => {
      const { live } = await fresh();
      const headers = { 'idempotency-key': freshKey() };
      expect((await write('/api/v1/campaigns', live['full'], CAMPAIGN, headers)).status).toBe(200);
      const other = await write(`/api/v1/plans/${ID}/approve`, live['full'], { terms_fingerprint: 'f' }, headers);
      expect([other.status, errorOf(other)]).toEqual([409, { code: 'idempotency_conflict', details: {}, fields: [] }]);
      const own = await write('/api/v1/feedback', live['full'], { message: 'hi' }, headers);
      expect(own.status).toBe(409);
    });

    test('API key and Idempotency-Key make the command, the explicit arguments its fingerprint', async () => {
      const { live, ids } = await fresh();
      const headers = { 'idempotency-key': freshKey() };
      await write('/api/v1/campaigns', live['full'], CAMPAIGN, headers);
      await write('/api/v1/campaigns', live['full'], { ...CAMPAIGN, product: ' p ' }, headers);
      await write('/api/v1/campaigns', live['full'], { ...CAMPAIGN, product: 'q' }, headers);
      await write('/api/v1/campaigns', live['writer'], CAMPAIGN, headers);
      const [first, trimmed, changed, other] = edge.sent.slice(-4).map((one) => one.ctx);
      expect(first?.principal.key).toBe(ids['full']);
      expect(trimmed?.command).toEqual(first?.command);
      expect(changed?.command).toEqual({
        id: first?.command?.id,
        fp: expect.not.stringMatching(first?.command?.fp ?? ''),
      });
      expect(other?.command).toEqual({
        id: expect.not.stringMatching(first?.command?.id ?? ''),
        fp: first?.command?.fp,
      });
    });

    test('replayed successes and refusals carry the header, whatever their details contain', async () => {
      proves('idempotency.same-answer');
      const { live } = await fresh();
      edge.answer('create_campaign', () => encodeOk({ id: ID }, 201, true));
      const success = await write('/api/v1/campaigns', live['full'], CAMPAIGN);
      expect([success.status, success.headers.get('idempotent-replayed')]).toEqual([201, 'true']);

      edge.answer('create_campaign', () =>
        encodeError({ code: 'conflict', message: 'm', details: { reason: 'archived' } }, undefined, true),
      );
      const refusal = await write('/api/v1/campaigns', live['full'], CAMPAIGN);
      expect([refusal.status, refusal.headers.get('idempotent-replayed')]).toEqual([409, 'true']);
      expect(errorOf(refusal).details).toEqual({ reason: 'archived' });

      const marked = { reason: 'archived', $replayed: true };
      edge.answer('create_campaign', () => encodeError({ code: 'conflict', message: 'm', details: marked }));
      const first = await write('/api/v1/campaigns', live['full'], CAMPAIGN);
      expect(first.headers.get('idempotent-replayed')).toBeNull();
      expect(errorOf(first).details).toEqual(marked);
      edge.answer('create_campaign', () => ({}));
    });
  });

  describe('steps 12 to 15: the owning service', () => {
    test.each([
      ['404', new AppError('not_found', 'm'), 404, null],
      ['409', conflict('archived', 'm'), 409, null],
      ['in progress', new AppError('in_progress', 'm', { retry_after: 1 }), 409, '1'],
      ['a mandate', new AppError('mandate_refused', 'm', { reason: 'no_mandate', escalate: true }), 403, null],
      ['a meter', new AppError('rate_limited', 'm', { reason: 'daily_lists', retry_after: 7 }), 429, '7'],
      ['unavailable', unavailable('m', 2), 503, '2'],
      ['unavailable without a duration', new AppError('unavailable', 'm'), 503, '1'],
      ['the team was not reached', new AppError('unavailable', 'm', undefined, { status: 502 }), 502, null],
      ['a bug', new AppError('internal', 'm'), 500, null],
    ])('%s', async (_name, error, status, retryAfter) => {
      proves('errors.409-in-progress');
      const { live } = await fresh();
      edge.answer('create_campaign', () => {
        throw error;
      });
      const answer = await write('/api/v1/campaigns', live['full'], CAMPAIGN);
      expect([answer.status, errorOf(answer).code, answer.headers.get('retry-after')]).toEqual([
        status,
        error.code,
        retryAfter,
      ]);
      expect(answer.headers.get('www-authenticate')).toBeNull();
      edge.answer('create_campaign', () => ({}));
    });

    test('any other exception is internal, and its text stays hidden', async () => {
      proves('errors.500-retry');
      const { live } = await fresh();
      edge.answer('campaigns_list', () => {
        throw new TypeError('secret of the inside');
      });
      const answer = await ask(edge.url, '/api/v1/campaigns', { key: live['full'] ?? '' });
      expect([answer.status, errorOf(answer).code]).toEqual([500, 'internal']);
      expect(answer.text).not.toContain('secret');
      edge.answer('campaigns_list', () => ({ campaigns: [] }));
    });

    test('a service’s bytes are forwarded unchanged', async () => {
      const { live } = await fresh();
      edge.answer('inventory', () => new TextEncoder().encode('ok 200\n{ "spaced" : true }'));
      expect((await ask(edge.url, '/api/v1/inventory', { key: live['full'] ?? '' })).text).toBe('{ "spaced" : true }');
      edge.answer('inventory', () => ({}));
    });

    test('the context carries both clocks, the principal and the trace', async () => {
      const { sandbox, workspaces } = await fresh();
      await edge.changeKeys({ ws: workspaces.sandbox }, { offset_ms: 86_400_000 });
      const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
      proves('general.request-id-echoed');
      const { headers } = await ask(edge.url, '/api/v1/inventory', {
        key: sandbox['full'] ?? '',
        headers: { traceparent, 'x-request-id': 'given-id-1' },
      });
      expect(headers.get('x-request-id')).toBe('given-id-1');
      const ctx = edge.sent.at(-1)?.ctx;
      expect(ctx).toMatchObject({
        requestId: 'given-id-1',
        traceparent,
        command: null,
        principal: { audience: 'brand', workspace: workspaces.sandbox, sandbox: true, mandate_version: 2 },
      });
      expect((ctx?.now.getTime() ?? 0) - (ctx?.networkNow.getTime() ?? 0)).toBe(86_400_000);
      expect(ctx?.attemptId).not.toBe('given-id-1');
    });
  });

  describe('headers of every answer', () => {
    test('answers are JSON in UTF-8 and not cached', async () => {
      proves('errors.body', 'general.bodies-json');
      const answer = await ask(edge.url, '/api/v1/inventory');
      expect(errorOf(answer).code).toBe('unauthorized');
      expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
      expect(answer.headers.get('cache-control')).toBe('no-store');
    });

    test.each(['/nothing', '/api/v1/nothing', '/docs/guides/nothing', '/developer'])(
      'an unknown address is a page in a browser and JSON for a program: %s',
      async (path) => {
        const page = await ask(edge.url, path, { headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } });
        expect([page.status, page.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
        expect(page.text).toContain('Not found');
        expect((await ask(edge.url, '/nothing')).json).toMatchObject({ error: { code: 'not_found' } });
      },
    );

    test('the network facts may be cached for five minutes and need no key', async () => {
      const answer = await ask(edge.url, '/api/network/facts');
      expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'public, max-age=300']);
      expect(errorOf(await ask(edge.url, '/api/network/facts?x=1')).fields).toEqual(['x']);
    });

    test('an answer with a deprecated field carries its deprecation', async () => {
      const { live } = await fresh();
      edge.answer('evidence_list', () => ({ items: [{ brief_id: ID }] }));
      const shown = await ask(edge.url, '/api/v1/evidence', { key: live['full'] ?? '' });
      expect([shown.headers.get('deprecation'), shown.headers.get('sunset')]).toEqual([
        '@1778716800',
        'Tue, 10 Nov 2026 00:00:00 GMT',
      ]);
    });
  });

  describe('health and documents (docs/domain/pages.md#health-and-documents)', () => {
    test.each(['/livez', '/readyz', '/version', '/openapi.json', '/'])(
      '%s takes GET and HEAD without a credential',
      async (path) => {
        const got = await ask(edge.url, path);
        expect(got.status).toBe(200);
        const head = await ask(edge.url, path, { method: 'HEAD' });
        expect([head.status, head.text]).toEqual([200, '']);
      },
    );

    test('the public keys of receipts may be kept for five minutes, whoever asks', async () => {
      const key = { kty: 'OKP', crv: 'Ed25519', x: 'x', kid: 'k', use: 'sig', alg: 'EdDSA' };
      edge.answer('receipt_keys', () => ({ keys: [key] }));
      const path = '/.well-known/cds-keys.json';
      const got = await ask(edge.url, path);
      expect([got.status, got.json]).toEqual([200, { keys: [key] }]);
      expect(got.headers.get('cache-control')).toBe('public, max-age=300');
      expect(got.headers.get('content-type')).toContain('application/json');
      const head = await ask(edge.url, path, { method: 'HEAD' });
      expect([head.status, head.text]).toEqual([200, '']);
      expect((await ask(edge.url, path, { method: 'POST' })).status).toBe(405);

      edge.answer('receipt_keys', () => {
        throw unavailable('m');
      });
      const away = await ask(edge.url, path);
      expect([away.status, away.headers.get('cache-control')]).toEqual([503, 'no-store']);
    });

    test('readiness is 503 when a service does not answer', async () => {
      edge.answer('terms_current', () => {
        throw unavailable('m');
      });
      const answer = await askUntil(
        () => ask(edge.url, '/readyz'),
        ({ status }) => status === 503,
      );
      expect([answer.status, answer.json]).toEqual([503, { status: 'unavailable' }]);
    });
  });
});

describe('in production', () => {
  test('development operations do not exist', async () => {
    const edge = await startEdgeApp('gateway_prod', 'production');
    const answer = await ask(edge.url, '/api/ops/dev/brands', { method: 'POST' });
    expect([answer.status, errorOf(answer).code]).toEqual([404, 'not_found']);
    await edge.stop();
  });
});
