// @night: two gateways and two catalogs; what guests may do has tests beside it.
import { type Creators, claimAt, guestTools, type NetworkFacts, toolNameOf } from '@cds/contracts';
import { proves } from '@cds/contracts/testing';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { Client as NewClient, StreamableHTTPClientTransport as NewTransport } from '@modelcontextprotocol/client';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { fetchFrom } from '../support/from-address.js';
import { aBrand, ask, keptStack, type Stack, secretOf } from '../support/stack.js';

type Result = {
  isError?: boolean;
  content: { text: string }[];
  structuredContent?: Record<string, unknown>;
  _meta: { error?: { code: string; details: Record<string, unknown> } };
};
type Guest = {
  tools: () => Promise<string[]>;
  call: (name: string, args?: Record<string, unknown>) => Promise<Result>;
  close: () => Promise<void>;
};

/** How many quotes one address asks for at once, of two gateways by turns. */
const AT_ONCE = 40;

describe('a guest of two gateways and two catalogs (docs/domain/access.md#guests)', () => {
  let stack: Stack;

  beforeAll(async () => {
    stack = await keptStack('pairs');
  }, 120_000);

  /** The official clients, each of its own revision. They hold answers against the output schemas once they listed. */
  const CLIENTS: Record<string, (address: string) => Promise<Guest>> = {
    '2025-11-25': async (address) => {
      const client = new OldClient({ name: 'guest', version: '1' });
      const transport = new OldTransport(new URL(stack.guestMcpUrl), { fetch: fetchFrom(address) });
      await client.connect(transport as Parameters<OldClient['connect']>[0]);
      return guestOf(client);
    },
    '2026-07-28': async (address) => {
      const client = new NewClient({ name: 'guest', version: '1' }, { versionNegotiation: { mode: 'auto' } });
      await client.connect(new NewTransport(new URL(stack.guestMcpUrl), { fetch: fetchFrom(address) }));
      expect(client.getNegotiatedProtocolVersion()).toBe('2026-07-28');
      return guestOf(client);
    },
  };
  const guestOf = (client: OldClient | NewClient): Guest => ({
    tools: async () => ((await client.listTools()) as { tools: { name: string }[] }).tools.map(({ name }) => name),
    call: async (name, args = {}) => (await client.callTool({ name, arguments: args })) as unknown as Result,
    close: () => client.close(),
  });

  const facts = async () => (await ask(stack, null, 'network_facts', {})).body as NetworkFacts;

  it.each([
    ['2025-11-25', '127.71.0.1'],
    ['2026-07-28', '127.71.0.2'],
  ])('looks around with a client of %s until its quotes are used up', async (revision, address) => {
    proves('guests.no-key', 'guests.six-tools', 'guests.quotes-left', 'limits.guest-quotes-refused');
    const guest = await (CLIENTS[revision] as (from: string) => Promise<Guest>)(address);
    expect(await guest.tools()).toEqual(guestTools.map(toolNameOf));

    const { approved, priced } = await facts();
    expect((await guest.call('inventory')).structuredContent).toMatchObject({
      segments: [],
      channels: [{ channel: 'x_creators', verified_nodes: approved, bookable_nodes: priced }],
      catalog: { approved, priced },
    });
    expect((await guest.call('resolve_audience', { audience: 'startup founders' })).structuredContent).toMatchObject({
      segments: [{ id: 'startup-founders' }],
      unresolved: false,
      channels: [{ channel: 'x_creators' }],
    });
    const claim = claimAt(stack.appUrl);
    expect((await guest.call('brain_get')).structuredContent).toMatchObject({ version: 0, claim });
    expect((await guest.call('guest_status')).structuredContent).toMatchObject({
      limits: { quotes: { limit: 3, window_days: 7, left: 3 } },
    });

    for (const left of [2, 1, 0])
      expect((await guest.call('plan_quote_guest', { format: 'post', posts: 4 })).structuredContent).toMatchObject({
        priced: true,
        creators_on_sale: priced,
        quotes_left: left,
      });
    const refused = await guest.call('plan_quote_guest', { format: 'post', posts: 4 });
    expect([refused.isError, refused._meta.error]).toMatchObject([
      true,
      { code: 'rate_limited', details: { reason: 'guest_quote_limit', limit: 3, window_days: 7, claim } },
    ]);
    await expect(guest.call('feedback_send', { message: 'Hello.' })).rejects.toThrow(claim.url);
    expect((await fetch(claim.url)).status).toBe(200);
    await guest.close();
  });

  it('gets exactly three of many quotes at once, whichever replicas answer', async () => {
    proves('limits.guest-quotes');
    const send = fetchFrom('127.71.0.3');
    const quote = async (id: number): Promise<Result> => {
      const response = await send(`${stack.appUrls[id % stack.appUrls.length]}/api/mcp/guest`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          jsonrpc: '2.0',
          id,
          method: 'tools/call',
          params: { name: 'plan_quote_guest', arguments: { format: 'quote', posts: 1 } },
        }),
      });
      return ((await response.json()) as { result: Result }).result;
    };
    const answers = await Promise.all(Array.from({ length: AT_ONCE }, (_none, id) => quote(id)));
    const granted = answers.filter(({ isError }) => isError !== true);
    expect(granted.map(({ structuredContent }) => structuredContent?.['quotes_left']).sort()).toEqual([0, 1, 2]);
  });

  it('never reads a creator’s name or id', async () => {
    proves('guests.quote-no-creator');
    const { live } = await aBrand(stack);
    const listed = await ask(stack, secretOf(live, 'full'), 'creators_search', { followers_min: 0, limit: 50 });
    const names = (listed.body as Creators).creators.flatMap(({ id, name, bio, offerings }) => [
      id,
      ...(name === null ? [] : [name]),
      ...(bio === null ? [] : [bio]),
      ...offerings.map(({ unit_id: unit }) => unit),
    ]);
    expect(names.length).toBeGreaterThan(100);

    const guest = await (CLIENTS['2026-07-28'] as (from: string) => Promise<Guest>)('127.71.0.4');
    const answers = [
      await guest.call('inventory'),
      await guest.call('resolve_audience', { audience: 'startup founders', product: names[1] ?? '' }),
      await guest.call('plan_quote_guest', { format: 'thread', posts: 50 }),
      await guest.call('guest_status'),
    ];
    const text = answers.map(({ content }) => content[0]?.text).join('\n');
    expect(names.filter((name) => text.includes(name))).toEqual([]);
    await guest.close();
  });
});
