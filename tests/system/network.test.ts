// @night: counts and lists have tests in catalog; this one compares all surfaces of a running system.
import type { Creators } from '@cds/contracts';
import { proves } from '@cds/contracts/testing';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { seedBrand } from '../../tools/lib/stack.js';
import { mcpEndpoint } from '../support/endpoints.js';
import { aCampaign } from '../support/matrix-arguments.js';
import { aBrand, ask, type SharedStack, secretOf, sharedStack } from '../support/stack.js';

describe('the network', () => {
  let stack: SharedStack;
  let keys: string[];
  let turn = 0;
  let blank: string;

  /** Lists of one brand take turns over its keys: each has its own minute window. */
  const list = async (query: Record<string, unknown>, key?: string): Promise<Creators> => {
    turn += 1;
    const answer = await ask(stack, key ?? keys[turn % keys.length] ?? '', 'creators_search', query);
    expect(answer.status).toBe(200);
    return answer.body as Creators;
  };

  beforeAll(async () => {
    stack = await sharedStack();
    const { live } = await aBrand(stack);
    keys = ['full', 'reader', 'writer', 'bare', 'muted'].map((name) => secretOf(live, name));
    const [workspace] = await seedBrand(stack, { name: 'no-audience', audience: null, sandbox: null });
    blank = workspace === undefined ? '' : secretOf(workspace, 'full');
  }, 120_000);

  it('gives equal counts in coverage, lists, catalog and public facts', async () => {
    proves(
      'inventory.bookable-equals-priced',
      'inventory.verified-equals-bare-total',
      'bookable.one-rule-every-count',
      'creators.catalog-whole-network',
      'facts.approved-priced',
    );
    const inventory = (await ask(stack, keys[0] ?? '', 'inventory', {})).body as {
      channels: { channel: string; verified_nodes: number; bookable_nodes: number; priced_units: number }[];
    };
    const coverage = inventory.channels.find((one) => one.channel === 'x_creators');
    const bare = await list({ limit: 1 });
    expect(coverage).toMatchObject({ verified_nodes: bare.total, bookable_nodes: bare.priced });
    expect(bare.priced).toBeLessThanOrEqual(bare.total);
    expect(coverage?.priced_units).toBeGreaterThanOrEqual(bare.priced);

    const facts = (await ask(stack, null, 'network_facts', {})).body as { approved: number; priced: number };
    expect(bare.catalog).toEqual({ approved: facts.approved, priced: facts.priced });
    expect((await list({ limit: 1, format: 'thread' })).catalog).toEqual(bare.catalog);
    expect(bare.priced).toBeLessThanOrEqual(facts.priced);
  });

  it('counts the bookable creators of a list as its rows show them', async () => {
    proves('creators.priced-of-total', 'creators.ask-price-inverse', 'creators.estimate-only-without-sale');
    proves('general.only-approved-named', 'bookable.approved-not-bookable-listed');
    const first = await list({ limit: 50, reach_band: 'micro' });
    const rows = [...first.creators];
    for (let offset = 50; offset < first.total; offset += 50)
      rows.push(...(await list({ limit: 50, reach_band: 'micro', offset })).creators);
    expect(rows.filter((one) => one.on_sale)).toHaveLength(first.priced);
    expect(rows.some((one) => !one.on_sale)).toBe(true);
    for (const one of rows) {
      expect(one.status).toBe('approved');
      expect(one.ask_price).toBe(!one.on_sale);
      expect(one.on_sale).toBe(one.offerings.some((unit) => unit.buyable));
      if (one.on_sale) expect(one.price_estimate).toBeNull();
    }
  });

  it('shows rows without identity, and deprecated aliases with equal values', async () => {
    proves('creators.rows-omit', 'version.deprecated-aliases');
    const { creators } = await list({ limit: 50, match: 'startup-founders' });
    for (const one of creators) {
      for (const field of ['handle', 'url', 'recent_posts', 'posts_summary']) expect(one).not.toHaveProperty(field);
      expect(one.median_views_30d).toBe(one.median_views_30d_network);
    }
  });

  it('asks a brand without a context for the audience of a campaign', async () => {
    proves('create.audience-needed');
    const today = new Date((await ask(stack, null, 'network_facts', {})).headers.get('date') ?? '').toISOString();
    const answer = await ask(stack, blank, 'create_campaign', aCampaign(today.slice(0, 10)));
    expect(answer).toMatchObject({ status: 422, body: { error: { details: { problems: [{ field: 'audience' }] } } } });
  });

  it('opens a creator under either name of its id', async () => {
    proves('creators.open', 'creators.open-other-name', 'creators.links-null', 'creators.identity-null');
    const { creators } = await list({ limit: 1 });
    const id = creators[0]?.id ?? '';
    const endpoint = await mcpEndpoint(stack, keys[4] ?? '');
    const byName = await endpoint.call('creator_get', { creator_id: id });
    expect(byName).toMatchObject({ status: 200, value: { id, handle: null, url: null } });
    expect(await endpoint.call('creator_get', { id })).toEqual(byName);
    const both = await endpoint.call('creator_get', { id, creator_id: '00000000-0000-4000-8000-000000000000' });
    expect(both).toMatchObject({ status: 400, value: { error: { code: 'bad_request' } } });
    const { recent_posts: posts, past_collabs: collabs } = byName.value as Record<string, { url: unknown }[]>;
    for (const one of [...(posts ?? []), ...(collabs ?? [])]) expect(one.url).toBeNull();
    await endpoint.close();
  });
});
