import { CALLS, SERVICES, type ServiceName } from '@cds/contracts';
import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { HttpUrl, readEnvironment, serviceVariables } from './environment.js';

/** The context keys of a service: exactly its pairs, and one error that lists every problem (ADR 0008). */
const key = Buffer.alloc(32, 1).toString('base64');
const REST = {
  CDS_NATS_URL: 'nats://127.0.0.1:4222',
  CDS_NATS_USER: 'u',
  CDS_NATS_PASSWORD: 'p',
  CDS_MONGODB_URI: 'mongodb://127.0.0.1',
  CDS_MONGODB_DB: 'd',
  CDS_OPS_PORT: '0',
  CDS_AUDIT_DIR: '/tmp/audit',
  CDS_AUDIT_KEY: 'MC4CAQAwBQYDK2VwBCIEIAEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEB',
};
const callers = (service: ServiceName) =>
  SERVICES.filter((caller) => (CALLS[caller] as readonly string[]).includes(service));
const all = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, key]));
const read = (service: ServiceName, keys: unknown) =>
  readEnvironment(service, z.object({}), {
    ...REST,
    CDS_CTX_KEYS: typeof keys === 'string' ? keys : JSON.stringify(keys),
  }).shared.ctxKeys;

describe('CDS_CTX_KEYS', () => {
  it.each(SERVICES)('of %s has one key for each service it may call and each that may call it', (service) => {
    const keys = read(service, { to: all(CALLS[service]), from: all(callers(service)) });
    expect([...keys.to.keys()].sort()).toEqual([...CALLS[service]].sort());
    expect([...keys.from.keys()].sort()).toEqual([...callers(service)].sort());
  });

  it.each<[string, unknown, string]>([
    ['no JSON', 'secret', 'CDS_CTX_KEYS: must be JSON'],
    ['a list', [], 'CDS_CTX_KEYS: '],
    ['one direction alone', { to: all(['planning', 'proposals']) }, 'CDS_CTX_KEYS.from: '],
    [
      'a missing pair',
      { to: all(['proposals']), from: all(['gateway', 'planning']) },
      'CDS_CTX_KEYS.to.planning: is missing',
    ],
    [
      'an unknown name',
      { to: all(['planning', 'proposals', 'ledger']), from: all(['gateway', 'planning']) },
      'CDS_CTX_KEYS.to.ledger: is not a pair of this service; remove it. Its pairs are planning, proposals',
    ],
    [
      'a pair of others',
      { to: all(['planning', 'proposals']), from: all(['gateway', 'planning', 'catalog']) },
      'CDS_CTX_KEYS.from.catalog: is not a pair of this service',
    ],
    [
      'a short key',
      { to: { planning: 'AAAA', proposals: key }, from: all(['gateway', 'planning']) },
      'CDS_CTX_KEYS.to.planning: has 3 bytes; make it at least 32',
    ],
    [
      'no name of ours',
      { to: all(['planning', 'proposals']), from: { ...all(['gateway', 'planning']), constructor: key } },
      'CDS_CTX_KEYS.from.constructor: is not a pair of this service',
    ],
  ])('of billing is refused with %s', (_what, keys, message) => {
    expect(() => read('billing', keys)).toThrow(message);
  });

  it('of billing may have several keys of a caller, and one of a callee', () => {
    const other = Buffer.alloc(32, 2).toString('base64');
    const from = { gateway: [key, other], planning: key };
    const keys = read('billing', { to: all(['planning', 'proposals']), from });
    expect([keys.from.get('gateway')].flat().map((one) => one?.export().toString('base64'))).toEqual([key, other]);
    expect([keys.from.get('planning')].flat()).toHaveLength(1);
    for (const wrong of [
      { to: { planning: [key], proposals: key }, from },
      { to: all(['planning', 'proposals']), from: { ...from, gateway: [] } },
      { to: all(['planning', 'proposals']), from: { ...from, gateway: [key, 'AAAA'] } },
    ])
      expect(() => read('billing', wrong)).toThrow(/CDS_CTX_KEYS/);
  });

  it('reports every problem at once, and no key', () => {
    let reported = '';
    try {
      read('billing', { to: { planning: 'AAAA', proposals: key }, from: { gateway: key, catalog: key } });
    } catch (error) {
      reported = String(error);
    }
    expect(reported).toContain('3 problem(s)');
    for (const path of ['to.planning', 'from.planning', 'from.catalog']) expect(reported).toContain(path);
    expect(reported).not.toContain(key);
    expect(reported).not.toContain('AAAA');
  });
});

describe('an address', () => {
  const keys = JSON.stringify({ to: all(CALLS.billing), from: all(callers('billing')) });
  const readWith = (env: Record<string, string>) =>
    readEnvironment('billing', z.object({ CDS_APP_URL: HttpUrl.default('https://app.example') }), {
      ...REST,
      CDS_CTX_KEYS: keys,
      ...env,
    });
  const name = Buffer.alloc(32, 1).toString('base64url');

  it.each([
    ['CDS_MONGODB_URI', 'http://db', 'must begin with mongodb:// or mongodb+srv://'],
    ['CDS_MONGODB_URI', '', 'must begin with mongodb:// or mongodb+srv://'],
    ['CDS_NATS_URL', 'http://bus:4222', 'must be nats://host:4222'],
    ['CDS_NATS_URL', 'nats://one:4222,http://two:4222', 'must be nats://host:4222'],
    ['CDS_NATS_URL', '', 'must be nats://host:4222'],
    ['CDS_OTEL_ENDPOINT', 'jaeger', 'must be a URL that begins with http:// or https://'],
    ['CDS_APP_URL', 'localhost:8080', 'must be a URL that begins with http:// or https://'],
    ['CDS_AUDIT_FORMER_KEYS', 'zzz', 'must be public keys of 32 bytes in base64url'],
    ['CDS_AUDIT_FORMER_KEYS', `${name} ${name}`, 'must be public keys of 32 bytes in base64url'],
  ])('%s is refused as "%s"', (variable, value, message) => {
    expect(() => readWith({ [variable]: value })).toThrow(`${variable}: ${message}`);
  });

  it.each([
    ['CDS_MONGODB_URI', 'mongodb+srv://u:p@db.example/?replicaSet=r'],
    ['CDS_MONGODB_URI', 'mongodb://u:p@one:27017,two:27017/?replicaSet=r'],
    ['CDS_NATS_URL', 'nats://one:4222,nats://two:4222'],
    ['CDS_NATS_URL', 'tls://bus.example:4222'],
    ['CDS_NATS_URL', '127.0.0.1:4222'],
    ['CDS_OTEL_ENDPOINT', ''],
    ['CDS_OTEL_ENDPOINT', 'http://jaeger:4318/v1/traces'],
    ['CDS_APP_URL', 'http://localhost:8080'],
    ['CDS_AUDIT_FORMER_KEYS', `${name},${name}`],
  ])('%s may be "%s"', (variable, value) => {
    expect(() => readWith({ [variable]: value })).not.toThrow();
  });
});

describe('the variables of a service', () => {
  it('are those of every process, its context keys and its own, and say which it needs', () => {
    const own = z.object({ CDS_NEEDED: z.string(), CDS_SPARE: z.coerce.number().default(1) });
    const variables = serviceVariables('billing', own);
    const needed = variables.filter(({ required }) => required).map(({ name }) => name);
    expect(needed.sort()).toEqual(['CDS_CTX_KEYS', 'CDS_NEEDED', ...Object.keys(REST)].sort());
    expect(variables).toContainEqual(
      expect.objectContaining({ name: 'CDS_SPARE', required: false, fallback: '1', secret: false }),
    );
    const level = variables.find(({ name }) => name === 'CDS_LOG_LEVEL');
    expect(level).toMatchObject({ fallback: 'info', values: expect.arrayContaining(['trace', 'silent']) });
    expect(variables.find(({ name }) => name === 'CDS_CTX_KEYS')).toMatchObject({ secret: true, fallback: null });
  });
});
