import { AppError, claimAt, extensionTools, sandboxTools, toolNameOf, toolOperations } from '@cds/contracts';
import { proves } from '@cds/service/testing';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { makeBrand } from '../../test/edge-app.js';
import { type GuestResult, guestAt, newAddress } from '../../test/guests.js';
import type { HttpAnswer } from '../../test/http.js';
import { testEdge } from '../../test/suite.js';

const CLAIM = claimAt('http://app.test');
const CAMPAIGN = '0b6cbb3e-6f0a-4f5e-9d5e-6a1b7b1b7b1b';

/** Name, title and hints, in the order of tools/list (docs/domain/mcp.md#guests). */
const TOOLS = [
  ['inventory', 'Network coverage', 'R I'],
  ['resolve_audience', 'Audience fit', 'R I'],
  ['brain_get', 'Company context', 'R I'],
  ['feedback_send', 'Send feedback', 'O'],
  ['guest_status', 'What a guest can do', 'R I'],
  ['plan_quote_guest', 'Guest quote', 'R'],
] as const;
const ANSWERING = TOOLS.map(([name]) => name).filter((name) => name !== 'feedback_send');

const QUOTE = {
  priced: true,
  format: 'post',
  posts: 2,
  currency: 'USD',
  per_post: { min_cents: 5_000, max_cents: 9_000 },
  total: { min_cents: 10_000, max_cents: 18_000 },
  creators_on_sale: 9,
  creators_in_format: 4,
  quotes_left: 2,
};
const INVENTORY = {
  segments: [],
  unresolved: false,
  coverage_as_of: null,
  channels: [],
  catalog: { approved: 9, priced: 4 },
};
const FIT = {
  version: 1,
  computed_at: '2026-11-01T00:00:00.000Z',
  coverage_as_of: null,
  segments: [],
  regions: [],
  unresolved: true,
  channels: [],
  thin: true,
  summary: 'Nobody.',
};

type Listed = {
  name: string;
  title?: string;
  annotations?: Record<string, unknown>;
  inputSchema: { properties?: object; required?: string[] };
  outputSchema?: object;
};

describe('the MCP endpoint of guests (docs/domain/mcp.md#guests)', () => {
  const edge = testEdge('gateway_guests', 'test', ['127.0.0.1']);
  let guest: ReturnType<typeof guestAt>;

  beforeEach(() => {
    guest = guestAt(edge.url, newAddress());
    edge.answer('guest_inventory', () => INVENTORY);
    edge.answer('guest_audience', () => FIT);
    edge.answer('plan_quote_guest', () => QUOTE);
    edge.answer('guest_quotes_left', () => ({ left: 2, resets_at: '2026-11-30T09:15:00.000Z' }));
  });

  const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
  const listed = async (): Promise<Listed[]> =>
    (guest.rpcOf(await guest.post(list)).result?.tools ?? []) as unknown as Listed[];

  describe('clients of both protocol revisions', () => {
    test.each(['2025-11-25', '2026-07-28'] as const)('%s: list six tools and call them', async (era) => {
      proves('guests.six-tools', 'guests.no-key');
      const client = era === '2025-11-25' ? await guest.oldClient() : await guest.newClient();
      const { tools } = (await client.listTools()) as { tools: Listed[] };
      expect(tools.map(({ name }) => name)).toEqual(TOOLS.map(([name]) => name));

      const args: Record<string, object> = { plan_quote_guest: { format: 'post', posts: 2 } };
      for (const name of ANSWERING) {
        const result = (await client.callTool({ name, arguments: { ...args[name] } })) as GuestResult;
        expect(result.isError ?? false).toBe(false);
        expect(result.structuredContent).toEqual(JSON.parse(result.content[0]?.text ?? ''));
        expect(result._meta).toMatchObject({ request_id: expect.stringMatching(/^req_/), status: 200 });
      }
      const refused = (await client.callTool({ name: 'plan_quote_guest', arguments: { posts: 0 } })) as GuestResult;
      expect([refused.isError, refused.structuredContent, refused._meta.error?.code]).toEqual([
        true,
        undefined,
        'bad_request',
      ]);
      await expect(client.callTool({ name: 'feedback_send', arguments: {} })).rejects.toThrow(CLAIM.url);
      await expect(client.callTool({ name: 'nothing', arguments: {} })).rejects.toMatchObject({ code: -32602 });
      await client.close();
    });
  });

  describe('the list of tools', () => {
    test.each(TOOLS.map((tool, at) => [at, ...tool] as const))('%i: %s', async (at, name, title, hints) => {
      proves('guests.six-tools');
      const letters = hints.split(' ');
      const all = await listed();
      expect(all).toHaveLength(TOOLS.length);
      expect(all[at]).toMatchObject({
        name,
        title,
        outputSchema: { type: 'object' },
        annotations: {
          title,
          readOnlyHint: letters.includes('R'),
          destructiveHint: letters.includes('D'),
          idempotentHint: letters.includes('I'),
          openWorldHint: letters.includes('O'),
        },
      });
    });

    test('names the inputs of each tool', async () => {
      proves('guests.quote-inputs');
      const inputs = (await listed()).map(({ name, inputSchema: { properties = {}, required = [] } }) => ({
        [name]: Object.keys(properties),
        required,
      }));
      expect(inputs).toEqual([
        { inventory: [], required: [] },
        { resolve_audience: ['product', 'audience', 'geography', 'intent_id'], required: [] },
        { brain_get: ['section'], required: [] },
        {
          feedback_send: ['message', 'kind', 'campaign_id', 'request_id', 'idempotency_key'],
          required: ['message'],
        },
        { guest_status: [], required: [] },
        { plan_quote_guest: ['format', 'posts'], required: ['format', 'posts'] },
      ]);
      const quote = (await listed()).at(-1)?.inputSchema.properties;
      expect(quote).toMatchObject({
        format: { enum: ['post', 'quote', 'thread'] },
        posts: { minimum: 1, maximum: 50 },
      });
    });
  });

  describe('who asks', () => {
    test('is nobody: a guest without workspace, key or scopes', async () => {
      await guest.call('inventory');
      const { name, ctx } = edge.sent.at(-1) ?? {};
      expect([name, ctx?.principal]).toEqual([
        'guest_inventory',
        {
          audience: 'guest',
          workspace: '',
          workspace_name: '',
          reads_workspace: '',
          sandbox: false,
          key: '',
          scopes: [],
          mandate: null,
          mandate_version: 0,
          guest: { address: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/) },
        },
      ]);
    });

    const addressOf = async (address: string, headers: Record<string, string> = {}) => {
      await guestAt(edge.url, address, headers).call('inventory');
      return edge.sent.at(-1)?.ctx.principal.guest?.address;
    };

    test('is known by the client’s address as a hash, IPv6 by its /64', async () => {
      const own = await addressOf('2001:db8:7:2::1');
      expect(await addressOf('2001:db8:7:2:ffff::9')).toBe(own);
      expect(await addressOf('203.0.113.77, 2001:db8:7:2::5')).toBe(own);
      expect(await addressOf('2001:db8:7:3::1')).not.toBe(own);
      expect(await addressOf('203.0.113.77')).toBe(await addressOf('::ffff:203.0.113.77'));
      expect(edge.counters.counted).toContain(`guests:${own}`);
      expect(edge.counters.counted.join()).not.toMatch(/203\.0\.113|2001:db8/);
    });

    test('does not depend on an Authorization header, whatever it holds', async () => {
      const brand = await makeBrand(edge);
      const address = newAddress();
      const without = await addressOf(address);
      for (const authorization of [`Bearer ${brand.live['full']}`, 'Bearer cds_live_nonsense', 'Basic eDp5', '']) {
        const other = guestAt(edge.url, address, { authorization });
        const { answer, rpc } = await other.call('brain_get');
        expect([answer.status, rpc.result?.structuredContent?.['version']]).toEqual([200, 0]);
        expect(await addressOf(address, { authorization })).toBe(without);
      }
    });
  });

  describe('a tool that needs an account', () => {
    const needs = toolOperations()
      .map(toolNameOf)
      .filter((name) => !ANSWERING.includes(name as never));

    test.each(needs)('%s is 401 with the claim, whatever its arguments', async (name) => {
      proves('guests.401-claim', 'guests.feedback-401');
      const before = edge.sent.length;
      for (const args of [{}, { message: 'Hello', id: CAMPAIGN, nonsense: 1 }]) {
        const { answer, rpc } = await guest.call(name, args);
        expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([401, null]);
        expect(rpc).toEqual({
          jsonrpc: '2.0',
          id: 7,
          error: {
            code: -32001,
            message: expect.stringContaining('http://app.test/signup?from=guest'),
            data: {
              code: 'unauthorized',
              claim: {
                url: 'http://app.test/signup?from=guest',
                developers_url: 'http://app.test/developers',
                sign_in: 'http://app.test/connect',
                key: 'Create a key in Developers and send it as Authorization: Bearer.',
              },
            },
          },
        });
      }
      expect(edge.sent).toHaveLength(before);
    });

    test.each([...extensionTools(), ...sandboxTools()].map(toolNameOf))('%s is no tool of a guest', async (name) => {
      await edge.setSwitches({ extensions: true });
      expect((await guest.call(name)).rpc.error?.code).toBe(-32602);
      await edge.setSwitches({ extensions: false });
    });
  });

  describe('answers', () => {
    test('resolve_audience takes texts', async () => {
      proves('guests.audience');
      const sent = { product: 'A CRM', audience: 'founders', geography: 'Europe' };
      const { rpc } = await guest.call('resolve_audience', sent);
      expect([rpc.result?.structuredContent, edge.sent.at(-1)?.input]).toEqual([FIT, sent]);
    });

    test.each([
      { intent_id: CAMPAIGN },
      { campaign_id: CAMPAIGN },
      { intent_id: CAMPAIGN, campaign_id: CAMPAIGN },
      { intent_id: 'no uuid', audience: 'founders' },
    ])('resolve_audience with %j needs an account', async (args) => {
      proves('guests.audience-needs-account');
      const before = edge.sent.length;
      const { answer, rpc } = await guest.call('resolve_audience', args);
      expect(answer.status).toBe(200);
      expect(rpc.result).toMatchObject({
        isError: true,
        _meta: {
          status: 401,
          error: { code: 'unauthorized', details: { reason: 'needs_account', claim: CLAIM } },
        },
      });
      expect(rpc.result).not.toHaveProperty('structuredContent');
      expect(JSON.parse(rpc.result?.content[0]?.text ?? '')).toEqual({ error: rpc.result?._meta.error });
      expect(edge.sent).toHaveLength(before);
    });

    test.each([
      [{}, { version: 0, confirmed_at: null, context: {}, versions: [], claim: CLAIM }],
      [{ section: 'audience' }, { version: 0, confirmed_at: null, section: 'audience', value: null, claim: CLAIM }],
    ])('brain_get %j is empty', async (args, answered) => {
      proves('guests.brain-empty');
      expect((await guest.call('brain_get', args)).rpc.result?.structuredContent).toEqual(answered);
    });

    test('guest_status says what answers and what is left', async () => {
      proves('guests.status');
      const { rpc, answer } = await guest.call('guest_status');
      expect(rpc.result?.structuredContent).toEqual({
        answers_now: ['inventory', 'resolve_audience', 'brain_get', 'guest_status', 'plan_quote_guest'],
        needs_account: toolOperations()
          .map(toolNameOf)
          .filter((name) => !['inventory', 'resolve_audience', 'brain_get'].includes(name)),
        limits: {
          requests_per_minute: 60,
          requests: {
            left: Number(answer.headers.get('ratelimit-remaining')),
            resets_at: expect.stringMatching(/:00\.000Z$/),
          },
          quotes: { limit: 3, window_days: 7, left: 2, resets_at: '2026-11-30T09:15:00.000Z' },
        },
        claim: CLAIM,
      });
      expect(rpc.result?.structuredContent?.['needs_account']).toContain('feedback_send');
      expect(edge.sent.at(-1)).toMatchObject({ name: 'guest_quotes_left', ctx: { principal: { audience: 'guest' } } });
    });

    test.each([
      [{}, ['format', 'posts']],
      [{ format: 'post', posts: 0 }, ['posts']],
      [{ format: 'post', posts: 51 }, ['posts']],
      [{ format: 'post', posts: 1.5 }, ['posts']],
      [{ format: 'post', posts: 'many' }, ['posts']],
      [{ format: 'story', posts: 1 }, ['format']],
      [{ format: 'post', posts: 1, creator: 'x' }, ['creator']],
    ])('plan_quote_guest %j is bad_request, and prices nothing', async (args, fields) => {
      proves('guests.quote-inputs');
      const before = edge.sent.length;
      const { answer, rpc } = await guest.call('plan_quote_guest', args);
      const problems = rpc.result?._meta.error?.details?.problems?.map(({ field }) => field);
      expect([answer.status, rpc.result?.isError, rpc.result?._meta.error?.code, problems?.sort()]).toEqual([
        200,
        true,
        'bad_request',
        fields,
      ]);
      expect(edge.sent).toHaveLength(before);
    });

    test('a refused quote is a result with its limit and the claim', async () => {
      const details = { reason: 'guest_quote_limit', limit: 3, window_days: 7, retry_after: 60, claim: CLAIM };
      edge.answer('plan_quote_guest', () => {
        throw new AppError('rate_limited', 'Used up.', details);
      });
      const { answer, rpc } = await guest.call('plan_quote_guest', { format: 'post', posts: 1 });
      expect([answer.status, rpc.result]).toMatchObject([
        200,
        { isError: true, _meta: { status: 429, error: { code: 'rate_limited', details } } },
      ]);
    });
  });

  describe('refusals by HTTP status', () => {
    const minutes = async (send: () => Promise<HttpAnswer>): Promise<{ served: number; last: HttpAnswer }> => {
      let last = await send();
      let served = 0;
      // A minute that turns meanwhile begins a second window.
      for (; last.status === 200 && served < 130; served += 1) last = await send();
      return { served, last };
    };

    test('60 requests in a minute of a client address, tool calls too', async () => {
      const { served, last } = await minutes(async () => (await guest.call('brain_get')).answer);
      expect(served).toBeGreaterThanOrEqual(60);
      expect([last.status, guest.rpcOf(last).error]).toMatchObject([
        429,
        {
          code: -32000,
          data: {
            code: 'rate_limited',
            details: { reason: 'guest_rate', scope: 'address', limit: 60, retry_after: expect.any(Number) },
          },
        },
      ]);
      expect(last.headers.get('ratelimit-limit')).toBe('60');
      expect(last.headers.get('ratelimit-remaining')).toBe('0');
      expect(last.headers.get('ratelimit-reset')).toBe(last.headers.get('retry-after'));
      expect((await guestAt(edge.url, newAddress()).call('brain_get')).answer.status).toBe(200);
    });

    test('refusals count too, and every answer carries the rate headers', async () => {
      const { answer } = await guest.call('feedback_send');
      expect([answer.status, answer.headers.get('ratelimit-limit')]).toEqual([401, '60']);
      const left = Number(answer.headers.get('ratelimit-remaining'));
      const next = (await guest.call('nothing')).answer;
      expect([left - 1, 59]).toContain(Number(next.headers.get('ratelimit-remaining')));
    });

    test('a window that cannot be counted is 503: nothing is served', async () => {
      const before = edge.sent.length;
      const { windows } = edge.edge;
      edge.edge.windows = {
        count: async () => {
          throw new AppError('unavailable', 'Down.', { retry_after: 2 });
        },
      };
      const { answer, rpc } = await guest.call('inventory');
      edge.edge.windows = windows;
      expect([answer.status, answer.headers.get('retry-after'), rpc.error?.data?.['code']]).toEqual([
        503,
        '2',
        'unavailable',
      ]);
      expect(edge.sent).toHaveLength(before);
    });

    test('limits that catalog cannot read are a refusal of guest_status', async () => {
      edge.answer('guest_quotes_left', () => {
        throw new AppError('unavailable', 'Down.', { retry_after: 2 });
      });
      const { rpc } = await guest.call('guest_status');
      expect(rpc.result).toMatchObject({ isError: true, _meta: { status: 503, error: { code: 'unavailable' } } });
    });
  });
});
