import { ErrorResource } from '@cds/contracts';
import { proves } from '@cds/contracts/testing';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { aCampaign } from '../support/matrix-arguments.js';
import {
  type Answer,
  aBrand,
  anIdempotencyKey,
  ask,
  type SeededWorkspace,
  type SharedStack,
  secretOf,
  sharedStack,
} from '../support/stack.js';

/**
 * What applies to every request of a brand, whatever its operation (docs/domain/requests.md#order-of-errors,
 * docs/domain/requests.md#every-request).
 */
describe('the edge', () => {
  let stack: SharedStack;
  let live: SeededWorkspace;
  let today: string;

  const key = (name: string): string => secretOf(live, name);
  const problemsIn = (answer: Answer): string[] =>
    (
      answer.body as { error: { details: { problems: { field: string; message: string }[] } } }
    ).error.details.problems.map(({ field, message }) => `${field}: ${message.length > 0}`);
  const send = (method: string, path: string, headers: Record<string, string> = {}): Promise<Response> =>
    fetch(`${stack.apiUrl}${path}`, { method, headers });

  beforeAll(async () => {
    stack = await sharedStack();
    const brand = await aBrand(stack);
    live = brand.live;
    const clock = await ask(stack, secretOf(brand.sandbox, 'full'), 'sandbox_clock', {});
    today = (clock.body as { now: string }).now.slice(0, 10);
  }, 120_000);

  describe('of x-request-id', () => {
    const places = [
      ['a success', 'GET', '/inventory', true],
      ['a 401', 'GET', '/inventory', false],
      ['a 404', 'GET', '/nothing', false],
      ['a 405', 'DELETE', '/inventory', false],
    ] as const;

    it.each(places)('echoes a valid one on %s', async (_place, method, path, keyed) => {
      proves('general.request-id-echoed');
      for (const id of ['abcd.1:_-', 'x'.repeat(128), 'x'.repeat(8)]) {
        const authorization: Record<string, string> = keyed ? { authorization: `Bearer ${key('reader')}` } : {};
        const response = await send(method, path, { 'x-request-id': id, ...authorization });
        expect(response.headers.get('x-request-id')).toBe(id);
      }
    });

    it.each(places)('replaces an invalid one on %s', async (_place, method, path, keyed) => {
      proves('general.request-id-always');
      for (const id of ['seven77', 'x'.repeat(129), 'has spaces in it', '<script>alert(1)</script>']) {
        const authorization: Record<string, string> = keyed ? { authorization: `Bearer ${key('writer')}` } : {};
        const response = await send(method, path, { 'x-request-id': id, ...authorization });
        expect(response.headers.get('x-request-id')).toMatch(/^req_/);
        expect(await response.text()).not.toContain(id);
      }
    });
  });

  describe('of errors', () => {
    it('are one body with a code of the list, as JSON', async () => {
      proves('errors.body', 'general.bodies-json');
      for (const [method, path] of [
        ['GET', '/inventory'],
        ['GET', '/nothing'],
        ['PUT', '/campaigns'],
      ] as const) {
        const response = await send(method, path);
        expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
        expect(ErrorResource.safeParse(await response.json()).success).toBe(true);
      }
    });

    it('name the methods of a path that does not take this one', async () => {
      proves('errors.405');
      const response = await send('PUT', '/campaigns');
      expect(response.status).toBe(405);
      expect(response.headers.get('allow')?.split(', ')).toEqual(expect.arrayContaining(['GET', 'POST']));
      expect(await response.json()).toMatchObject({ error: { code: 'method_not_allowed' } });
    });

    it.each([
      ['limit', '10'],
      ['offset', '0'],
      ['anything', '1'],
    ])('name %s, which GET /campaigns does not take', async (field, value) => {
      proves('campaigns.list-unknown-400', 'errors.400-names-field');
      const answer = await ask(stack, key('bare'), 'campaigns_list', { [field]: value });
      expect(answer).toMatchObject({ status: 400, body: { error: { code: 'bad_request' } } });
      expect(problemsIn(answer)).toEqual([`${field}: true`]);
    });

    it.each(['yes', '1', 'TRUE', ''])('name include_archived when it is %j', async (value) => {
      proves('campaigns.list-boolean-400', 'errors.400-names-field');
      const answer = await ask(stack, key('bare'), 'campaigns_list', { include_archived: value as never });
      expect(answer.status).toBe(400);
      expect(problemsIn(answer)).toEqual(['include_archived: true']);
    });

    it('name every missing field of a campaign at once', async () => {
      proves('create.422-names-all-missing', 'create.required-fields', 'errors.422-problems');
      const answer = await ask(stack, key('bare'), 'create_campaign', {});
      expect(answer).toMatchObject({ status: 422, body: { error: { code: 'unprocessable' } } });
      const required = ['goal', 'product', 'moment', 'window_start', 'window_end', 'budget_usd'];
      expect(problemsIn(answer)).toEqual(required.map((field) => `${field}: true`));
    });

    it('name a body field that the operation does not take, before its values', async () => {
      proves('errors.400-unknown-body-field', 'edits.unknown-field-400');
      const answer = await ask(stack, key('bare'), 'create_campaign', { budget: 5 });
      expect(answer.status).toBe(400);
      expect(problemsIn(answer)).toEqual(['budget: true']);
    });

    it('for another request under a used key reveal nothing about the first', async () => {
      proves('errors.409-idempotency-conflict');
      const headers = { 'idempotency-key': anIdempotencyKey() };
      await ask(stack, key('bare'), 'feedback_send', { message: 'The first one.' }, headers);
      for (const [name, input] of [
        ['feedback_send', { message: 'Another one.' }],
        ['create_campaign', aCampaign(today)],
      ] as const) {
        const answer = await ask(stack, key('bare'), name, input, headers);
        expect(answer).toMatchObject({ status: 409, body: { error: { code: 'idempotency_conflict' } } });
        expect(JSON.stringify(answer.body)).not.toContain('first one');
        expect(answer.headers.get('idempotent-replayed')).toBeNull();
      }
    });
  });

  describe('of limits', () => {
    it('serves 60 requests of a key in a minute, reports the window, and refuses the rest', async () => {
      proves('limits.request-rate', 'limits.request-rate-429', 'limits.rate-headers');
      const secret = key('narrow');
      // Some of these are too many, even if the minute turns in between.
      const answers = await Promise.all(Array.from({ length: 130 }, () => ask(stack, secret, 'inventory', {})));
      const served = answers.filter((answer) => answer.status === 200);
      const refused = answers.filter((answer) => answer.status === 429);
      expect(served.length + refused.length).toBe(answers.length);

      const remaining = served.map((answer) => Number(answer.headers.get('ratelimit-remaining')));
      const windows = remaining.filter((left) => left === 59).length;
      expect([1, 2]).toContain(windows);
      expect(served.length).toBeLessThanOrEqual(60 * windows);
      if (windows === 1) expect(new Set(remaining).size).toBe(60);
      for (const answer of answers) {
        expect(answer.headers.get('ratelimit-limit')).toBe('60');
        expect(answer.headers.get('ratelimit-policy')).toBe('"minute";q=60;w=60');
        const reset = Number(answer.headers.get('ratelimit-reset'));
        expect(reset).toBeGreaterThanOrEqual(0);
        expect(reset).toBeLessThanOrEqual(60);
      }
      for (const { headers, body } of refused) {
        const { details } = (body as { error: { details: Record<string, unknown> } }).error;
        expect(details).toMatchObject({ reason: 'request_rate', scope: 'key', limit: 60 });
        expect(String(details['resets_at'])).toMatch(/:00(\.000)?Z$/);
        expect(Number(headers.get('retry-after'))).toBe(details['retry_after']);
        expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(
          Math.max(1, Number(headers.get('ratelimit-reset'))),
        );
      }
    });

    it('starts three campaigns in 24 hours over either transport, and reports when the next may start', async () => {
      proves('limits.campaign-starts', 'limits.campaign-starts-429', 'create.counts-start');
      for (let count = 0; count < 3; count += 1)
        expect((await ask(stack, key('full'), 'create_campaign', aCampaign(today))).status).toBe(201);

      const fourth = await ask(stack, key('writer'), 'create_campaign', aCampaign(today));
      expect(fourth).toMatchObject({
        status: 429,
        body: { error: { code: 'rate_limited', details: { reason: 'daily_campaign_limit', limit: 3 } } },
      });
      const { details } = (fourth.body as { error: { details: Record<string, unknown> } }).error;
      expect(fourth.headers.get('retry-after')).toBe(String(details['retry_after']));
      expect(Number(details['retry_after'])).toBeGreaterThan(23 * 3600);
      expect(Date.parse(String(details['resets_at']))).toBeGreaterThan(Date.parse(today));
    });
  });
});
