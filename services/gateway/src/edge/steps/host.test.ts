import { describe, expect, test } from '@jest/globals';
import type { Exchange } from '../http/exchange.js';
import { allowedHosts, checkHost, checkOrigin } from './host.js';

const hosts = allowedHosts([], 'https://app.example', [3_000]);

/** A request with what these checks read: path, method and raw headers. */
const exchange = (path: string, method: string, headers: [string, string][]): Exchange =>
  ({ path, method, raw: { rawHeaders: headers.flat() } }) as unknown as Exchange;

const passes = (run: () => void): boolean => {
  try {
    run();
    return true;
  } catch {
    return false;
  }
};

describe('Host (docs/domain/requests.md#order-of-errors, check 1)', () => {
  test.each([
    [['app.example'], true],
    [['APP.example'], true],
    [['localhost:3000'], true],
    [['127.0.0.1:3000'], true],
    [['[::1]:3000'], true],
    [['localhost:3001'], false],
    [['evil.example'], false],
    [[''], false],
    [[], false],
    [['app.example', 'app.example'], false],
  ])('%j is accepted: %s', (sent, served) => {
    const headers = sent.map((host): [string, string] => ['Host', host]);
    expect(passes(() => checkHost(exchange('/', 'GET', headers), hosts))).toBe(served);
  });

  test.each([
    ['1.1', [], 'bad_request'],
    ['1.0', [], 'forbidden'],
    ['1.1', ['app.example', 'app.example'], 'bad_request'],
    ['1.1', ['evil.example'], 'forbidden'],
  ])('HTTP/%s with the hosts %j is %s', (httpVersion, sent, code) => {
    const rawHeaders = sent.flatMap((host) => ['Host', host]);
    const asked = { path: '/', method: 'GET', raw: { rawHeaders, httpVersion } } as unknown as Exchange;
    expect(() => checkHost(asked, hosts)).toThrow(expect.objectContaining({ code }));
  });

  test('a configured list replaces the default', () => {
    expect([...allowedHosts(['one.example'], 'https://app.example', [3_000])]).toEqual(['one.example']);
  });
});

describe('Origin (docs/domain/requests.md#order-of-errors, check 1)', () => {
  const from = (path: string, method: string, headers: [string, string][]) =>
    passes(() => checkOrigin(exchange(path, method, headers), 'https://app.example', hosts));

  test.each([
    ['a program sends none', [], true],
    ['our own origin', [['origin', 'https://app.example']], true],
    ['loopback in use', [['origin', 'http://localhost:3000']], true],
    ['another port', [['origin', 'http://localhost:4000']], false],
    ['another site', [['origin', 'https://evil.example']], false],
    ['no origin at all', [['origin', 'null']], false],
    ['nonsense', [['origin', 'x']], false],
  ] as [string, [string, string][], boolean][])('the tool server: %s', (_name, headers, allowed) => {
    expect(from('/api/mcp', 'POST', headers)).toBe(allowed);
    expect(from('/api/v1/inventory', 'GET', headers)).toBe(true);
  });

  const SESSION: [string, string] = ['cookie', 'cds_session=a'];
  const OURS: [string, string] = ['origin', 'https://app.example'];
  const EVIL: [string, string] = ['origin', 'https://evil.example'];
  test.each([
    ['from our own page', '/api/brand/session', [SESSION, OURS], true],
    ['from another site', '/api/brand/session', [SESSION, EVIL], false],
    ['from nowhere', '/api/brand/session', [SESSION, ['origin', 'null']], false],
    ['from our host by another scheme', '/api/brand/session', [SESSION, ['origin', 'http://app.example']], false],
    ['without Origin', '/api/v1/campaigns', [SESSION], false],
    ['without Origin, at the sandbox', '/api/sandbox/clock/advance', [SESSION], false],
    ['of an operator, without Origin', '/api/ops/session', [['cookie', 'cds_ops_session=a']], false],
    ['of an operator, from another site', '/api/ops/session', [['cookie', 'cds_ops_session=a'], EVIL], false],
    ['beside a credential of its own', '/api/v1/campaigns', [SESSION, EVIL, ['authorization', 'Bearer a']], true],
    ['that begins, from another site', '/api/brand/session', [EVIL], false],
    ['that begins, by a program', '/api/brand/session', [], true],
    ['of nobody, at sign-up, from another site', '/api/signup', [EVIL], false],
    ['of nobody, at the API', '/api/v1/campaigns', [EVIL], true],
  ] as [string, string, [string, string][], boolean][])(
    'a write with a session %s',
    (_name, path, headers, allowed) => {
      expect(from(path, 'POST', headers)).toBe(allowed);
      expect(from(path, 'GET', headers)).toBe(true);
    },
  );

  test.each([
    ['a program sends nothing', [], true],
    [
      'a browser on our page, which sends no referrer',
      [
        ['origin', 'null'],
        ['sec-fetch-site', 'same-origin'],
      ],
      true,
    ],
    ['our own origin', [['origin', 'https://app.example']], true],
    [
      'hidden, from elsewhere',
      [
        ['origin', 'null'],
        ['sec-fetch-site', 'cross-site'],
      ],
      false,
    ],
    ['hidden, unexplained', [['origin', 'null']], false],
    [
      'another site',
      [
        ['origin', 'https://evil.example'],
        ['sec-fetch-site', 'same-origin'],
      ],
      false,
    ],
    ['another site without Origin', [['sec-fetch-site', 'cross-site']], false],
  ] as [string, [string, string][], boolean][])('page forms: %s', (_name, headers, allowed) => {
    expect(from('/pay/x/checkout', 'POST', headers)).toBe(allowed);
    expect(from('/pay/x', 'GET', headers)).toBe(true);
  });
});
