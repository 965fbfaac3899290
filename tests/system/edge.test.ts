import { proves } from '@cds/contracts/testing';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { seedBrand } from '../../tools/lib/stack.js';
import { aCampaign } from '../support/matrix-arguments.js';
import { aBrand, ask, type SeededWorkspace, type SharedStack, secretOf, sharedStack } from '../support/stack.js';

/** Limits and refusals that take several services (docs/domain/requests.md#rate-limits). */
describe('the edge', () => {
  let stack: SharedStack;
  let live: SeededWorkspace;
  let today: string;

  const key = (name: string): string => secretOf(live, name);

  beforeAll(async () => {
    stack = await sharedStack();
    const brand = await aBrand(stack);
    live = brand.live;
    const clock = await ask(stack, secretOf(brand.sandbox, 'full'), 'sandbox_clock', {});
    today = (clock.body as { now: string }).now.slice(0, 10);
  }, 120_000);

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

  it('asks a brand without a context for the audience of a campaign', async () => {
    proves('create.audience-needed');
    const [blank] = await seedBrand(stack, { name: 'no-audience', audience: null, sandbox: null });
    const answer = await ask(stack, secretOf(blank as SeededWorkspace, 'full'), 'create_campaign', aCampaign(today));
    expect(answer).toMatchObject({ status: 422, body: { error: { details: { problems: [{ field: 'audience' }] } } } });
  });
});
