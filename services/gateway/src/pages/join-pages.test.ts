import { AppError } from '@cds/contracts';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { ask, errorOf, type HttpAnswer } from '../test/http.js';
import { testEdge } from '../test/suite.js';

/** docs/domain/pages.md#creator-applications, docs/domain/pages.md#forms-of-pages. */
describe('an application to join', () => {
  const edge = testEdge('gateway_join');
  beforeEach(async () => {
    edge.counters.reset();
    await edge.shell.store.db.collection('quotas').deleteMany({});
    edge.sent.length = 0;
    edge.answer('creator_applied', () => ({ received: true }));
  });

  const body = {
    handle: '@Ada_Posts',
    followers: 12_000,
    units: [{ format: 'post', ask_cents: 45_000 }],
    consent: true,
  };
  const apply = (over: object = {}): Promise<HttpAnswer> =>
    ask(edge.url, '/api/creator/apply', { method: 'POST', body: { ...body, ...over } });
  const taken = () => edge.sent.findLast(({ name }) => name === 'creator_applied')?.input;

  test('goes to catalog, with the text that was agreed to', async () => {
    expect(await apply()).toMatchObject({ status: 202, json: { status: 'received' } });
    expect(taken()).toEqual({ handle: 'Ada_Posts', followers: 12_000, units: body.units, consent: '2026-11-23' });
  });

  test.each([
    ['handle', { handle: 'Ada Posts' }],
    ['followers', { followers: -1 }],
    ['units', { units: [] }],
    ['units', { units: [body.units[0], body.units[0]] }],
    ['units[0].ask_cents', { units: [{ format: 'post', ask_cents: 99 }] }],
    ['consent', { consent: false }],
  ])('says what is wrong with %s', async (field, over) => {
    const answer = await apply(over);
    expect(answer.status).toBe(422);
    expect(errorOf(answer).details).toMatchObject({ problems: [{ field }] });
  });

  test('comes ten times a day from one address', async () => {
    for (let n = 0; n < 10; n += 1) expect((await apply()).status).toBe(202);
    const eleventh = await apply();
    expect(eleventh.status).toBe(429);
    expect(errorOf(eleventh).details).toMatchObject({ reason: 'application_limit', scope: 'address', limit: 10 });
  });

  test('is a page that works without scripts, and keeps what was typed', async () => {
    const page = await ask(edge.url, '/join');
    expect([page.status, page.text.includes('I run this account.')]).toEqual([200, true]);
    const cookie = page.headers.get('set-cookie')?.split(';', 1)[0] ?? '';
    const send = (fields: Record<string, string>): Promise<HttpAnswer> => {
      const [, form_token = ''] = /name="form_token" value="([^"]+)"/.exec(page.text) ?? [];
      return ask(edge.url, '/join', {
        method: 'POST',
        raw: new URLSearchParams({ form_token, ...fields }).toString(),
        headers: { 'content-type': 'application/x-www-form-urlencoded', cookie },
      });
    };
    const wrong = await send({ handle: 'ada_posts', followers: '12,000', ask_thread: 'a lot' });
    expect(wrong.status).toBe(422);
    for (const words of [
      'value="12,000"',
      'value="a lot"',
      'id="ask_thread-error"',
      'id="consent-error"',
      'Must be an amount in dollars',
    ])
      expect(wrong.text).toContain(words);
    const fields = {
      handle: 'ada_posts',
      followers: '12,000',
      ask_post: '450',
      ask_thread: '$1,200.50',
      consent: 'yes',
    };
    const done = await send(fields);
    expect([done.status, done.headers.get('location')]).toEqual([303, '/join/sent']);
    expect(taken()).toMatchObject({
      units: [
        { format: 'post', ask_cents: 45_000 },
        { format: 'thread', ask_cents: 120_050 },
      ],
    });
    expect((await ask(edge.url, '/join/sent')).text).toContain('We have your application');
  });

  test('is 503 while catalog is away', async () => {
    edge.answer('creator_applied', () => {
      throw new AppError('unavailable', 'away');
    });
    expect((await apply()).status).toBe(503);
  });
});
