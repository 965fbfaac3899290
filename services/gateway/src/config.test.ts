import { CALLS, SERVICES } from '@cds/contracts';
import { describe, expect, test } from '@jest/globals';
import { readConfig } from './config.js';

const contextKeys = (names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, Buffer.alloc(32, 1).toString('base64')]));

const ENVIRONMENT = {
  CDS_NATS_URL: 'nats://127.0.0.1:4222',
  CDS_NATS_USER: 'gateway',
  CDS_NATS_PASSWORD: 'p',
  CDS_MONGODB_URI: 'mongodb://127.0.0.1',
  CDS_MONGODB_DB: 'cds_gateway',
  CDS_OPS_PORT: '0',
  CDS_AUDIT_DIR: '/tmp/audit',
  CDS_AUDIT_KEY: 'MC4CAQAwBQYDK2VwBCIEIAEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEB',
  CDS_CTX_KEYS: JSON.stringify({
    to: contextKeys(CALLS.gateway),
    from: contextKeys(SERVICES.filter((caller) => (CALLS[caller] as readonly string[]).includes('gateway'))),
  }),
  CDS_HTTP_PORT: '0',
  CDS_APP_URL: 'https://app.example',
  CDS_KEY_PEPPERS: '{"1":"AAAA"}',
  CDS_SEAL_KEYS: JSON.stringify({ 1: Buffer.alloc(32, 1).toString('base64') }),
  CDS_OPS_TOKEN: 'cds_ops_of_the_tests',
};

const proxiesOf = (value?: string): readonly string[] =>
  readConfig({ ...ENVIRONMENT, ...(value === undefined ? {} : { CDS_TRUSTED_PROXIES: value }) }).own
    .CDS_TRUSTED_PROXIES;

describe('CDS_TRUSTED_PROXIES', () => {
  test.each([
    ['nothing is trusted by default', undefined, []],
    ['nothing is trusted when it is empty', '', []],
    ['a range', '10.0.0.0/8', ['10.0.0.0/8']],
    ['several, with spaces', ' 10.0.0.0/8 , FD00::/8,', ['10.0.0.0/8', 'fd00::/8']],
    ['one address of each family', '192.0.2.7,2001:db8::7', ['192.0.2.7', '2001:db8::7']],
    ['the longest prefixes', '192.0.2.7/32,2001:db8::7/128', ['192.0.2.7/32', '2001:db8::7/128']],
    ['the shortest prefixes', '128.0.0.0/1,8000::/1', ['128.0.0.0/1', '8000::/1']],
  ])('%s', (_name, value, proxies) => {
    expect(proxiesOf(value)).toEqual(proxies);
  });

  test.each([
    ['a name', 'proxy.internal', '"proxy.internal" is not a CIDR range'],
    ['a range by name', 'loopback', '"loopback" is not a CIDR range'],
    ['a flag', 'true', '"true" is not a CIDR range'],
    ['a number of hops', '1', '"1" is not a CIDR range'],
    ['an invalid address', '10.0.0.256/8', '"10.0.0.256/8" is not a CIDR range'],
    ['two slashes', '10.0.0.0/8/8', '"10.0.0.0/8/8" is not a CIDR range'],
    ['a zone', 'fe80::1%eth0', '"fe80::1%eth0" is not a CIDR range'],
    ['a prefix beyond IPv4', '10.0.0.0/33', '"10.0.0.0/33" has an invalid prefix length'],
    ['a prefix beyond IPv6', 'fd00::/129', '"fd00::/129" has an invalid prefix length'],
    ['a mask', '10.0.0.0/255.0.0.0', '"10.0.0.0/255.0.0.0" has an invalid prefix length'],
    ['an empty prefix', '10.0.0.0/', '"10.0.0.0/" has an invalid prefix length'],
    ['everybody on IPv4', '0.0.0.0/0', '"0.0.0.0/0" trusts every address'],
    ['everybody on IPv6', '::/0', '"::/0" trusts every address'],
    ['a mapped address', '::ffff:10.0.0.1', '"::ffff:10.0.0.1" is IPv4 inside IPv6'],
  ])('%s stops the start', (_name, value, message) => {
    expect(() => proxiesOf(value)).toThrow(message);
    expect(() => proxiesOf(`10.0.0.0/8,${value}`)).toThrow('CDS_TRUSTED_PROXIES');
  });

  test('every invalid entry is reported at once', () => {
    expect(() => proxiesOf('one,10.0.0.0/8,two')).toThrow(/2 problem\(s\):\n.*"one".*\n.*"two"/);
  });
});

describe('CDS_WEBHOOK_ALLOW_LOOPBACK', () => {
  const read = (env: Record<string, string>) => readConfig({ ...ENVIRONMENT, ...env }).own.CDS_WEBHOOK_ALLOW_LOOPBACK;

  test.each<[env: Record<string, string>, value: string]>([
    [{}, '0'],
    [{ CDS_ENV: 'production', CDS_WEBHOOK_ALLOW_LOOPBACK: '0' }, '0'],
    [{ CDS_ENV: 'development', CDS_WEBHOOK_ALLOW_LOOPBACK: '1' }, '1'],
    [{ CDS_ENV: 'test', CDS_WEBHOOK_ALLOW_LOOPBACK: '1' }, '1'],
  ])('%j starts', (env, value) => {
    expect(read(env)).toBe(value);
  });

  test.each([[{}], [{ CDS_ENV: 'production' }]])('production refuses to start with it: %j', (env) => {
    expect(() => read({ ...env, CDS_WEBHOOK_ALLOW_LOOPBACK: '1' })).toThrow(
      'CDS_WEBHOOK_ALLOW_LOOPBACK: must not be 1 in production',
    );
  });
});

describe('CDS_ALLOWED_HOSTS', () => {
  const read = (value: string) => readConfig({ ...ENVIRONMENT, CDS_ALLOWED_HOSTS: value }).own.CDS_ALLOWED_HOSTS;

  test('names hosts, with or without a port', () => {
    expect(read(' App.example.com ,app.example.com:8443,[::1]')).toEqual([
      'app.example.com',
      'app.example.com:8443',
      '[::1]',
    ]);
  });

  test.each(['https://app.example.com', 'app.example.com/api', 'one two'])('stops the start as "%s"', (value) => {
    expect(() => read(value)).toThrow('CDS_ALLOWED_HOSTS: must be hosts as app.example.com');
  });
});

describe('CDS_MAIL_RELAY_TOKEN', () => {
  const read = (token: string) => readConfig({ ...ENVIRONMENT, CDS_MAIL_RELAY_TOKEN: token }).own.CDS_MAIL_RELAY_TOKEN;
  const long = 'r'.repeat(32);

  test('is empty unless it is set', () => {
    expect(readConfig(ENVIRONMENT).own.CDS_MAIL_RELAY_TOKEN).toBe('');
    expect(read(long)).toBe(long);
  });

  test.each([
    ['a short one', long.slice(1)],
    ['one with a space', `${long} ${long}`],
  ])('%s stops the start', (_name, token) => {
    expect(() => read(token)).toThrow('CDS_MAIL_RELAY_TOKEN: must be at least 32 characters without spaces');
  });

  test("that of the team's scripts stops the start", () => {
    const env = { ...ENVIRONMENT, CDS_OPS_TOKEN: long, CDS_MAIL_RELAY_TOKEN: long };
    expect(() => readConfig(env)).toThrow('CDS_MAIL_RELAY_TOKEN: must differ from CDS_OPS_TOKEN');
  });
});
