import { describe, expect, it } from '@jest/globals';
import { isDuplicate } from '../store/store.js';
import { storeSuite } from '../testing/suite.js';
import { loggedError, withoutCredentials, withoutOthers } from './redaction.js';

const SECRET = 'Zk3'.repeat(16);

describe('a line of the log', () => {
  it.each([
    ['an API key', `cds_live_abcdefghijkl_${SECRET}0`, 'cds_live_[redacted]'],
    ['a key of a sandbox', `Bearer cds_test_abcdefghijkl_${SECRET}0"`, 'Bearer cds_test_[redacted]"'],
    ['an operator token', `cds_ops_${SECRET}`, 'cds_ops_[redacted]'],
    ['the token of the mail relay', `cds_relay_${SECRET}`, 'cds_relay_[redacted]'],
    [
      'tokens of a client',
      `cds_mcp_${SECRET} cds_mcr_a-b cds_api_c`,
      'cds_mcp_[redacted] cds_mcr_[redacted] cds_api_[redacted]',
    ],
    [
      'a link to sign in with',
      `https://a.example/ops/sign-in/${SECRET.slice(0, 32)} https://a.example/ops/first-lead/${SECRET.slice(0, 32)}`,
      'https://a.example/ops/sign-in/[redacted] https://a.example/ops/first-lead/[redacted]',
    ],
    [
      "a creator's link",
      `/creator/cdl_0190b5a0-0000-7000-8000-000000000000_2_${SECRET.slice(0, 43)}"`,
      '/creator/cdl_0190b5a0-0000-7000-8000-000000000000_2_[redacted]"',
    ],
    ['the password of a database', 'mongodb://billing:pw1@db:27017/?a=b', 'mongodb://[redacted]@db:27017/?a=b'],
    ['the password of the bus', 'nats://billing:pw1@bus:4222', 'nats://[redacted]@bus:4222'],
    ['a mail server', 'smtps://user%40x:p%2Fw@mail.example', 'smtps://[redacted]@mail.example'],
    [
      'a payment link',
      `"https://a.example/pay/${SECRET.slice(0, 43)}/receipt"`,
      '"https://a.example/pay/[redacted]/receipt"',
    ],
    [
      'keys of Stripe',
      'rk_live_51Hxyz sk_test_4eC39 whsec_abc',
      'rk_live_[redacted] sk_test_[redacted] whsec_[redacted]',
    ],
    ['an address without credentials', 'https://a.example/x?to=me@b.example', 'https://a.example/x?to=me@b.example'],
    ['the declared path of a payment page', '"route":"/pay/{token}"', '"route":"/pay/{token}"'],
    ['the name of a metric', 'cds_http_requests_total', 'cds_http_requests_total'],
  ])('with %s', (_what, line, written) => {
    expect(withoutCredentials(line)).toBe(written);
  });

  it('shows a link to sign in with in development alone', () => {
    const link = `https://a.example/sign-in/${SECRET.slice(0, 32)}`;
    expect([withoutOthers(link), withoutCredentials(link)]).toEqual([link, 'https://a.example/sign-in/[redacted]']);
    expect(withoutOthers(`cds_ops_${SECRET}`)).toBe('cds_ops_[redacted]');
  });

  it('stays JSON', () => {
    const line = { url: 'nats://u:p@h', text: `"cds_live_${SECRET}" said \\ @home`, at: 'x@y' };
    expect(JSON.parse(withoutCredentials(JSON.stringify(line)))).toEqual({
      url: 'nats://[redacted]@h',
      text: '"cds_live_[redacted]" said \\ @home',
      at: 'x@y',
    });
  });
});

describe('an error of MongoDB', () => {
  const test = storeSuite('redaction');

  it.each([1, 2])('is logged without the document that failed, inserted with %d others', async (others) => {
    const rows = test.store.collection<{ _id: string; handle: string }>({
      name: `known_${others}`,
      indexes: [{ key: { handle: 1 }, unique: true }],
    });
    await test.store.migrate();
    const row = (id: string, handle: string) => ({ _id: id, handle });
    await rows.insertOne(row('first', 'quill} "one'));
    const again = others === 1 ? rows.insertOne(row('b', 'quill} "one')) : rows.insertMany([row('b', 'quill} "one')]);
    const error = await again.then(
      () => new Error('no error'),
      (thrown: Error) => thrown,
    );
    expect(isDuplicate(error)).toBe(true);
    // What the driver knows, and pino would write.
    expect(`${error.message} ${JSON.stringify(error)}`).toContain('quill');
    const logged = loggedError(error);
    expect(JSON.stringify(logged)).not.toContain('quill');
    expect(logged).toMatchObject({
      code: 11_000,
      message: expect.stringContaining('E11000'),
      stack: expect.any(String),
    });
  });
});
