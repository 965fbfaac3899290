import { randomInt } from 'node:crypto';
import type { CampaignStatus, CreatorProposal, Creators, OpsProposal, Quote } from '@cds/contracts';
import { proves } from '@cds/contracts/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { creatorLinkOf } from '../support/creator-link.js';
import { type Endpoint, mcpEndpoint, restEndpoint } from '../support/endpoints.js';
import { aBrand, anIdempotencyKey, ask, retried, type SharedStack, secretOf, sharedStack } from '../support/stack.js';

const DAY_MS = 86_400_000;
const dayAfter = (instant: string, days: number): string =>
  new Date(Date.parse(instant) + days * DAY_MS).toISOString().slice(0, 10);

const HOUR_MS = 3_600_000;
/** An id of a post that X made at an instant (docs/domain/orders.md#proof). */
const postIdAt = (ms: number): string =>
  ((BigInt(ms - 1_288_834_974_657) << 22n) + BigInt(randomInt(2 ** 22))).toString();

type Approved = {
  order_id: string;
  approved_at: string;
  payment: { url: string };
  plan: Quote;
  order: { payment_state: string };
};
type Items = {
  items: { id: string; proof_url: string | null; still_up: unknown; latest?: unknown; snapshots?: number }[];
};

/** The main job end to end, on real engines, by REST and MCP in turn: each call goes over the other transport. */
describe('the main job', () => {
  let stack: SharedStack;
  let endpoints: [Endpoint, Endpoint];
  let asked = 0;
  let key: string;
  let now: string;
  let campaignId: string;
  let quote: Quote;
  let approved: Approved;
  /** The proposal that was accepted by its link. */
  let byLink: { id: string; link: string };

  const answered = async <T>(
    operation: Parameters<Endpoint['call']>[0],
    input: Record<string, unknown>,
    status: number,
    idempotencyKey?: string,
  ): Promise<T> => {
    asked += 1;
    const answer = await (endpoints[asked % 2] as Endpoint).call(operation, input, idempotencyKey);
    expect({ status: answer.status, value: answer.value }).toEqual({ status, value: answer.value });
    return answer.value as T;
  };
  const write = <T>(
    operation: Parameters<Endpoint['call']>[0],
    input: Record<string, unknown>,
    status = 200,
  ): Promise<T> => answered<T>(operation, input, status, anIdempotencyKey());
  const sandbox = async (
    operation: 'sandbox_clock_advance' | 'sandbox_order_payment' | 'sandbox_line_post',
    input: Record<string, unknown>,
  ) => {
    const answer = await retried((id) => ask(stack, key, operation, input as never, { 'idempotency-key': id }));
    expect(answer).toMatchObject({ status: 200 });
    return answer.body as Record<string, unknown>;
  };
  /** What the operator's team sees of a campaign's proposals. */
  const proposalsOf = async (id: string): Promise<OpsProposal[]> => {
    const found: OpsProposal[] = [];
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const query = { limit: 200, ...(cursor === undefined ? {} : { cursor }) };
      const { body } = await ask(stack, stack.opsToken, 'ops_proposals_list', query);
      const page = body as { items: OpsProposal[]; next: string | null };
      found.push(...page.items.filter(({ campaign_id }) => campaign_id === id));
      cursor = page.next;
    }
    return found;
  };
  /** Sends a form of a creator's page as a browser without scripts does. */
  const send = async (link: string, act: string, fields: Record<string, string>): Promise<number> => {
    const html = await (await fetch(link)).text();
    const form = new RegExp(`action="([^"]+/${act})"[\\s\\S]*?value="([^"]+)"`).exec(html) ?? [];
    const answer = await fetch(`${stack.appUrl}${form[1]}`, {
      method: 'POST',
      redirect: 'manual',
      headers: { origin: stack.appUrl, 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ form_token: form[2] ?? '', ...fields }),
    });
    return answer.status;
  };
  /** What the page and the API show of a proposal, headers included, none of which names anything else. */
  const shownBy = async (link: string): Promise<{ html: string; json: string; bytes: string[] }> => {
    const token = link.split('/').at(-1) ?? '';
    const page = await fetch(link);
    const api = await fetch(`${stack.appUrl}/api/creator/proposal`, { headers: { authorization: `Bearer ${token}` } });
    expect([page.status, api.status]).toEqual([200, 200]);
    const [html, json] = [await page.text(), await api.text()];
    return { html, json, bytes: [html, json, ...page.headers.values(), ...api.headers.values()] };
  };
  /** Everything that the creator of one line must never read, in no byte of an answer. */
  const expectNothingElse = (paid: Quote, own: Quote['lines'][number] | undefined, bytes: readonly string[]): void => {
    const payout = (JSON.parse(bytes[1] ?? '') as CreatorProposal).payout_cents ?? 0;
    const others = paid.lines.filter(({ id }) => id !== own?.id);
    const amounts = [own?.price_cents ?? 0, paid.total_cents, 600_000].filter((cents) => cents !== payout);
    const canaries = [
      ...others.flatMap(({ id, creator }) => [id, creator?.id, creator?.handle]),
      ...amounts.flatMap((cents) => [String(cents), `$${(cents / 100).toLocaleString('en-US')}`]),
      ...[paid.plan_id, approved.order_id, campaignId, key, 'mandate', '@example.com'],
    ];
    for (const canary of canaries.filter((one) => one != null))
      for (const text of bytes) expect({ canary, shown: text.includes(canary) }).toEqual({ canary, shown: false });
  };
  const status = () => answered<CampaignStatus>('campaign_status', { id: campaignId }, 200);

  beforeAll(async () => {
    stack = await sharedStack();
    const brand = await aBrand(stack);
    key = secretOf(brand.sandbox, 'full');
    endpoints = [restEndpoint(stack, key), await mcpEndpoint(stack, key)];
    now = ((await ask(stack, key, 'sandbox_clock', {})).body as { now: string }).now;
  }, 120_000);

  afterAll(() => Promise.all(endpoints?.map((endpoint) => endpoint.close()) ?? []));

  it('reads coverage of the audience on file', async () => {
    const inventory = await answered<{
      segments: { id: string }[];
      channels: { channel: string; bookable_nodes: number }[];
    }>('inventory', {}, 200);
    expect(inventory.segments.map((one) => one.id)).toEqual(
      expect.arrayContaining(['startup-founders', 'ai-builders']),
    );
    expect(inventory.channels.find((one) => one.channel === 'x_creators')?.bookable_nodes).toBeGreaterThan(0);
  });

  it('browses creators with prices, without a handle or link', async () => {
    proves('creators.identity-null', 'creators.rows-omit', 'general.handles-withheld');
    const page = await answered<Creators>('creators_search', { format: 'quote', limit: 10 }, 200);
    expect(page.creators.length).toBeGreaterThan(2);
    expect(page.priced).toBe(page.total);
    for (const creator of page.creators) {
      expect(creator.on_sale).toBe(true);
      expect(creator).not.toHaveProperty('handle');
    }
    const one = await answered<{ handle: unknown; url: unknown }>('creator_get', { id: page.creators[0]?.id }, 200);
    expect(one).toMatchObject({ handle: null, url: null });
  });

  it('starts a campaign and gets a plan within its budget', async () => {
    proves('create.builds-plan', 'create.within-budget', 'stages.plan-ready');
    const started = await write<{ id: string; stage_id: string; plan: Quote | null; no_plan: unknown }>(
      'create_campaign',
      {
        goal: 'launch',
        product: 'Orbit, an AI pair for founders',
        moment: 'Orbit goes live on the first day of the window',
        window_start: dayAfter(now, 3),
        window_end: dayAfter(now, 24),
        budget_usd: 6000,
      },
      201,
    );
    expect(started).toMatchObject({ stage_id: 'plan_ready', no_plan: null });
    campaignId = started.id;
    quote = started.plan as Quote;
    expect(quote.lines.length).toBeGreaterThan(1);
    expect(quote.total_cents).toBeLessThanOrEqual(600_000);
    expect(quote.total_cents).toBe(quote.lines.reduce((sum, line) => sum + line.price_cents, 0));
  });

  it('edits the plan: swaps, removes, adds and moves its dates', async () => {
    proves(
      'swap.answer',
      'remove.drops-line',
      'add.adds-format',
      'dates.window-moves',
      'dates.prices-stay',
      'dates.lines-moved',
    );
    const onPlan = new Set(quote.lines.map((line) => line.creator_id));
    const page = await answered<Creators>(
      'creators_search',
      { sort: 'price', dir: 'asc', limit: 50, price_min: 1 },
      200,
    );
    const fresh = page.creators
      .filter((one) => !onPlan.has(one.id))
      .flatMap((one) => one.offerings.filter((unit) => unit.buyable).slice(0, 1));
    const [first] = [...quote.lines].sort((a, b) => b.price_cents - a.price_cents);

    const swapped = await write<{ line_id: string; removed_line_id: string; plan: Quote }>('plan_swap_creator', {
      id: quote.plan_id,
      line_id: first?.id,
      unit_id: fresh[0]?.unit_id,
    });
    expect(swapped.removed_line_id).toBe(first?.id);
    expect(swapped.plan.version).toBe(quote.version + 1);

    const removed = await write<{ plan: Quote }>('plan_remove_creator', {
      id: quote.plan_id,
      line_id: swapped.line_id,
    });
    expect(removed.plan.lines).toHaveLength(quote.lines.length - 1);

    const added = await write<{ line_id: string; plan: Quote }>(
      'plan_add_creator',
      { id: quote.plan_id, unit_id: fresh[0]?.unit_id },
      201,
    );
    expect(added.plan.lines.map((line) => line.id)).toContain(added.line_id);

    const moved = await write<{ lines_moved: number; plan: Quote }>('plan_move_dates', {
      id: quote.plan_id,
      start: dayAfter(now, 4),
      end: dayAfter(now, 25),
    });
    expect(moved.lines_moved).toBe(added.plan.lines.length);
    expect(moved.plan).toMatchObject({ launch_window_start: dayAfter(now, 4), total_cents: added.plan.total_cents });
  });

  it('reads the quote that it may sign', async () => {
    proves('quote.policy-allowed', 'quote.order-null-unsigned', 'quote.handles-null-before-paid');
    quote = await answered<Quote>('plan_quote', { id: quote.plan_id }, 200);
    expect(quote.policy).toEqual({ allowed: true, refusal: null });
    expect(quote.order).toBeNull();
    for (const line of quote.lines) expect(line.creator).toMatchObject({ handle: null, profile_url: null });
  });

  it('signs once and gets the payment link; a retry over the other transport gets the same answer', async () => {
    proves('approve.signs', 'approve.once', 'stages.approved', 'mcp.same-effects', 'idempotency.same-answer');
    const idempotencyKey = anIdempotencyKey();
    const args = { id: quote.plan_id, terms_fingerprint: quote.terms_fingerprint };
    approved = await answered<Approved>('approve_plan', args, 200, idempotencyKey);
    expect(approved).toMatchObject({
      status: 'approved',
      order: { payment_state: 'unpaid', total_cents: quote.total_cents },
    });

    const other = endpoints[(asked + 1) % 2] as Endpoint;
    const again = await other.call('approve_plan', args, idempotencyKey);
    expect(again).toEqual({ status: 200, value: approved, replayed: true });
    const signedAlready = await other.call('approve_plan', args, anIdempotencyKey());
    expect(signedAlready).toMatchObject({
      status: 409,
      value: { error: { code: 'conflict', details: { reason: 'plan_signed' } } },
    });

    expect(await status()).toMatchObject({
      stage_id: 'approved',
      plan: { status: 'approved' },
      order: { payment_state: 'unpaid' },
    });
    const page = await fetch(approved.payment.url);
    expect(page.status).toBe(200);
    expect(page.headers.get('content-type')).toContain('text/html');
  });

  it('is paid, and shows handles from then on', async () => {
    proves('stages.paid', 'quote.handles-once-paid', 'proposals.shows-handle');
    expect(await sandbox('sandbox_order_payment', { id: approved.order_id, outcome: 'paid' })).toMatchObject({
      payment_state: 'paid',
    });
    await sandbox('sandbox_clock_advance', { seconds: 60 });
    const paid = await status();
    expect(paid).toMatchObject({ stage_id: 'paid', order: { payment_state: 'paid' } });
    for (const line of paid.plan?.lines ?? []) expect(line.proposal?.creator_handle).toMatch(/^demo_/);
    const shown = await answered<Quote>('plan_quote', { id: quote.plan_id }, 200);
    for (const line of shown.lines) expect(line.creator?.handle).toMatch(/^demo_/);
  });

  it('gives each creator a link, which shows their own place and nothing else', async () => {
    const paid = await answered<Quote>('plan_quote', { id: quote.plan_id }, 200);
    const mine = (await proposalsOf(campaignId)).filter(({ state }) => state === 'sent');
    expect(mine.length).toBeGreaterThan(1);
    const [proposal, other] = mine;
    const own = paid.lines.find(({ id }) => id === proposal?.line_id);
    const link = await creatorLinkOf(stack, proposal?.id ?? '');
    const { html, json, bytes } = await shownBy(link);
    const token = link.split('/').at(-1) ?? '';
    const shown = JSON.parse(json) as CreatorProposal;

    // The launch post is the brand's, not the creator's.
    const deliverable = own?.deliverable.replace('your launch post', 'the brand’s launch post');
    expect(shown).toMatchObject({ state: 'open', sandbox: true, deliverable, guidelines: null });
    const payout = shown.payout_cents ?? 0;
    expect([payout > 0, payout < (own?.price_cents ?? 0)]).toEqual([true, true]);
    expect(html).toContain('This is a test proposal.');

    expectNothingElse(paid, own, bytes);

    const forged = token.replace(proposal?.id ?? '', other?.id ?? '');
    expect((await fetch(`${stack.appUrl}/creator/${forged}`)).status).toBe(404);
    const refused = await fetch(`${stack.appUrl}/api/creator/proposal`, {
      headers: { authorization: `Bearer ${forged}` },
    });
    expect(refused.status).toBe(401);
  });

  it('takes an answer from the page of a link, without scripts or cookies', async () => {
    const proposal = (await proposalsOf(campaignId)).find(({ state }) => state === 'sent');
    byLink = { id: proposal?.id ?? '', link: await creatorLinkOf(stack, proposal?.id ?? '') };
    expect(await send(byLink.link, 'accept', { date: proposal?.scheduled_date ?? '' })).toBe(303);
    const after = (await proposalsOf(campaignId)).find(({ id }) => id === proposal?.id);
    expect(after).toMatchObject({ state: 'accepted', booked: true });
    expect(await (await fetch(byLink.link)).text()).toContain('Your post is booked for');
  });

  it('has a receipt at its payment link, as a page and as a file', async () => {
    const receipt = await fetch(`${approved.payment.url}/receipt`);
    expect(receipt.status).toBe(200);
    expect(await receipt.text()).toContain('Receipt for order');
    const file = await fetch(`${approved.payment.url}/receipt.pdf`);
    expect([file.status, file.headers.get('content-type')]).toEqual([200, 'application/pdf']);
    expect((await file.text()).slice(0, 5)).toBe('%PDF-');
    expect((await fetch(`${approved.payment.url}/invoice.pdf`)).status).toBe(404);
  });

  it('sees creators answer within 48 hours', async () => {
    proves('proposals.48-hours');
    await sandbox('sandbox_clock_advance', { seconds: 49 * 3600 });
    const proposals = ((await status()).plan?.lines ?? []).map((line) => line.proposal);
    expect(proposals.map((one) => one?.state)).toContain('accepted');
    // Whoever declined or stayed silent has been replaced.
    const open = proposals.filter((one) => one?.state === 'sent');
    expect(open.every((one) => typeof one?.replaced_handle === 'string')).toBe(true);
    expect(proposals.filter((one) => one?.state === 'declined' || one?.state === 'no_reply')).toEqual([]);
  });

  it('takes the post and its figures from the page of a link, which shows nothing else either', async () => {
    const paid = await answered<Quote>('plan_quote', { id: quote.plan_id }, 200);
    const booked = (await proposalsOf(campaignId)).find(({ id }) => id === byLink.id);
    const own = paid.lines.find(({ id }) => id === booked?.line_id);
    const { link } = byLink;
    await sandbox('sandbox_line_post', { id: own?.id, when: 'never', disclosure: 'now' });
    const { now: at } = (await ask(stack, key, 'sandbox_clock', {})).body as { now: string };
    const evening = Date.parse(`${booked?.scheduled_date}T22:00:00.000Z`);
    await sandbox('sandbox_clock_advance', { seconds: Math.ceil((evening - Date.parse(at)) / 1_000) });

    expectNothingElse(paid, own, (await shownBy(link)).bytes);
    const url = (handle = ''): string => `https://x.com/${handle}/status/${postIdAt(evening - HOUR_MS)}`;
    expect(await send(link, 'post', { url: url('somebody'), disclosure: '#ad' })).toBe(422);
    expect(await send(link, 'post', { url: url(own?.creator?.handle ?? ''), disclosure: '#ad' })).toBe(303);
    expect(await send(link, 'analytics', { views: '1,203', likes: '31' })).toBe(303);
    const { html, json, bytes } = await shownBy(link);
    expect(html).toMatch(/1,203 views, 31 likes<br>.*, your own figures/);
    expect(JSON.parse(json)).toMatchObject({ post: { status: 'live', disclosure: '#ad' }, may: ['analytics'] });
    expectNothingElse(paid, own, bytes);
  });

  it('sees posts go live and reads their proof', async () => {
    proves('evidence.items', 'lines.live');
    await sandbox('sandbox_clock_advance', { seconds: 26 * 86_400 });
    const live = await status();
    expect(['running', 'complete']).toContain(live.stage_id);
    expect((live.plan?.lines_by_stage.live ?? 0) + (live.plan?.lines_by_stage.proof_attached ?? 0)).toBeGreaterThan(0);
    const evidence = await answered<Items>('evidence_list', { campaign_id: campaignId }, 200);
    expect(evidence.items.length).toBeGreaterThan(0);
    for (const item of evidence.items)
      expect(item.proof_url).toMatch(/^https:\/\/(?:example|x)\.com\/demo_\w+\/status\/\d+$/);
  });

  it('reads results, still up after a week', async () => {
    proves('results.items', 'lines.proof-attached', 'flow.campaign-to-results');
    await sandbox('sandbox_clock_advance', { seconds: 12 * 86_400 });
    const results = await answered<Items>('results_list', { campaign_id: campaignId }, 200);
    expect(results.items.length).toBeGreaterThan(0);
    expect(
      results.items.some((item) => item.still_up !== null && item.latest !== null && (item.snapshots ?? 0) > 1),
    ).toBe(true);
    expect((await status()).plan?.lines_by_stage.proof_attached).toBeGreaterThan(0);
  });
});
