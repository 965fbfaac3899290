// @night: counts the tokens of a job that `spine` does by day.
import type { Creators, Quote } from '@cds/contracts';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { StreamableHTTPError } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { type ToolClient, toolClient } from '../support/endpoints.js';
import { aBrand, anIdempotencyKey, type SharedStack, secretOf, sharedStack } from '../support/stack.js';

/**
 * What an agent that knows only the tools reads, in tokens of o200k_base (docs/domain/mcp.md#brief-answers). It does
 * the whole job in a sandbox, from coverage to results, and asks for brief answers where a tool has them.
 */
const MOST = { list: 9_000, job: 30_000, quote: 3_600, creators: 4_500, edit: 1_200 } as const;

const DAY_S = 86_400;
const dayAfter = (instant: string, days: number): string =>
  new Date(Date.parse(instant) + days * DAY_S * 1_000).toISOString().slice(0, 10);

const tokensOf = (text: string): number => encode(text).length;

type Read = { tool: string; tokens: number };

describe('an agent in a sandbox', () => {
  let stack: SharedStack;
  let live: ToolClient;
  let client: ToolClient;
  const reads: Read[] = [];

  beforeAll(async () => {
    stack = await sharedStack();
    const brand = await aBrand(stack);
    live = await toolClient(stack, secretOf(brand.live, 'full'));
    client = await toolClient(stack, secretOf(brand.sandbox, 'full'));
    // From then on the client holds every answer, brief ones too, against its output schema.
    expect(await client.tools()).toHaveLength(23);
  }, 120_000);
  afterAll(() => Promise.all([live?.close(), client?.close()]));

  /**
   * As agents do, repeats a call while the answer is to retry, as a result or by HTTP status: a clock that moves far
   * may take several requests. What it reads of each counts.
   */
  const sent = async (tool: string, args: Record<string, unknown>) => {
    for (let left = 5; ; left -= 1) {
      try {
        const result = await client.call(tool, args);
        if (!result.isError || left === 0 || !result.text.includes('"code":"unavailable"')) return result;
        reads.push({ tool, tokens: tokensOf(result.text) });
      } catch (error) {
        if (!(error instanceof StreamableHTTPError) || error.code !== 503 || left === 0) throw error;
        reads.push({ tool, tokens: tokensOf(error.message) });
      }
    }
  };
  const call = async <T>(tool: string, args: Record<string, unknown> = {}): Promise<T> => {
    const result = await sent(tool, args);
    expect({ tool, refused: result.isError ? result.text : null }).toEqual({ tool, refused: null });
    reads.push({ tool, tokens: tokensOf(result.text) });
    return result.value as T;
  };
  const brief = <T>(tool: string, args: Record<string, unknown> = {}): Promise<T> =>
    call<T>(tool, { ...args, view: 'brief' });
  const write = <T>(tool: string, args: Record<string, unknown>): Promise<T> =>
    call<T>(tool, { ...args, idempotency_key: anIdempotencyKey() });
  const most = (tool: string): number =>
    Math.max(...reads.filter((read) => read.tool === tool).map(({ tokens }) => tokens));

  it('reads the list of tools in at most 9,000 tokens', async () => {
    const tools = await live.tools();
    expect(tools).toHaveLength(20);
    expect(tokensOf(JSON.stringify({ tools }))).toBeLessThanOrEqual(MOST.list);
  });

  it('does the main job in at most 30,000 tokens of answers', async () => {
    const { now } = await call<{ now: string }>('sandbox_status');
    await call('inventory');
    await call('resolve_audience', { audience: 'startup founders and software developers' });
    await call('brain_get');
    const page = await brief<Creators>('creators_search', { match: 'startup-founders,software-developers' });
    await brief('creator_get', { id: page.creators[0]?.id });

    const started = await write<{ id: string; plan: { plan_id: string } }>('create_campaign', {
      goal: 'launch',
      product: 'Orbit, an AI pair for founders',
      moment: 'Orbit goes live on the first day of the window',
      window_start: dayAfter(now, 3),
      window_end: dayAfter(now, 24),
      budget_usd: 25_000,
      view: 'brief',
    });
    const id = started.plan.plan_id;
    await write('set_creator_guidelines', { id: started.id, pitch: 'Try Orbit.', dos: ['Show it running'] });
    const quote = await brief<Quote>('plan_quote', { id });

    const onPlan = new Set(quote.lines.map((line) => line.creator?.name));
    const cheap = await brief<Creators>('creators_search', { sort: 'price', dir: 'asc', price_min: 1, limit: 10 });
    const units = cheap.creators
      .filter(({ name }) => !onPlan.has(name))
      .flatMap(({ offerings }) => offerings.filter((unit) => unit.buyable !== false).slice(0, 1));
    const [dearest] = [...quote.lines].sort((one, other) => other.price_cents - one.price_cents);
    const edit = { id, view: 'brief' };
    const swapped = await write<{ line_id: string }>('plan_swap_creator', {
      ...edit,
      line_id: dearest?.id,
      unit_id: units[0]?.unit_id,
    });
    await write('plan_remove_creator', { ...edit, line_id: swapped.line_id });
    const added = await write<{ plan: Quote }>('plan_add_creator', { ...edit, unit_id: units[0]?.unit_id });
    expect(added.plan.lines).toHaveLength(1);
    const moved = await write<{ plan: Quote }>('plan_move_dates', {
      ...edit,
      start: dayAfter(now, 4),
      end: dayAfter(now, 25),
    });
    expect(moved.plan.policy.allowed).toBe(true);

    const signed = await write<{ order_id: string; payment: { url: string } }>('approve_plan', {
      ...edit,
      terms_fingerprint: moved.plan.terms_fingerprint,
    });
    await write('sandbox_pay', { order_id: signed.order_id });
    await write('sandbox_advance', { seconds: 2 * DAY_S + 3_600, view: 'brief' });
    await brief('campaign_status', { id: started.id });
    await write('sandbox_advance', { seconds: 26 * DAY_S, view: 'brief' });
    await brief('evidence_list', { campaign_id: started.id });
    await write('sandbox_advance', { seconds: 12 * DAY_S, view: 'brief' });
    const results = await brief<{ items: { latest?: { views: number } }[] }>('results_list', {
      campaign_id: started.id,
    });

    expect(results.items.some(({ latest }) => (latest?.views ?? 0) > 0)).toBe(true);
    expect(reads.reduce((sum, { tokens }) => sum + tokens, 0)).toBeLessThanOrEqual(MOST.job);
    expect(most('plan_quote')).toBeLessThanOrEqual(MOST.quote);
    expect(most('creators_search')).toBeLessThanOrEqual(MOST.creators);
    for (const tool of ['plan_swap_creator', 'plan_remove_creator', 'plan_add_creator'])
      expect({ tool, tokens: most(tool) <= MOST.edit }).toEqual({ tool, tokens: true });
  }, 180_000);
});
