import type { FeedEventResource } from '@cds/contracts';
import {
  countedBy,
  type Data,
  fields,
  isLineOver,
  type LineStates,
  lineStageOf,
  lineStatusOf,
  listOf,
  of,
  stageOf,
  totalsOf,
} from './feed-stages.js';

type Aggregate = FeedEventResource['aggregate']['type'];

/** What a sandbox's reset leaves. */
const STAYS: ReadonlySet<string> = new Set(['mandate', 'limit']);
const ORDER = ['payment_state', 'total_cents', 'currency', 'signed_at', 'paid_at'];

/**
 * What a reader of the feed knows, from its events alone (docs/domain/events.md#events): it keeps the newest state of
 * each aggregate, and derives what the reads derive. Each method answers one read, but for the fields that the feed has
 * not (`tests/support/feed-shown.ts`).
 */
export class FeedFold {
  private readonly states = new Map<string, Map<string, Data>>();
  private readonly versions = new Map<string, number>();
  private readonly ids = new Set<string>();

  /** Takes the next event; raises when it breaks the order or comes again. */
  take({ id, kind, aggregate, version, data }: FeedEventResource): void {
    if (this.ids.has(id)) throw new Error(`event ${id} came twice`);
    this.ids.add(id);
    const name = `${aggregate.type} ${aggregate.id}`;
    if ((this.versions.get(name) ?? 0) >= version) throw new Error(`${name} went back to version ${version}`);
    this.versions.set(name, version);
    if (kind === 'sandbox.reset') for (const type of this.states.keys()) if (!STAYS.has(type)) this.states.delete(type);
    const states = this.states.get(aggregate.type) ?? new Map<string, Data>();
    this.states.set(aggregate.type, states);
    if (kind === 'campaign.deleted') states.delete(aggregate.id);
    else states.set(aggregate.id, data);
  }

  all(type: Aggregate): Data[] {
    return [...(this.states.get(type)?.values() ?? [])];
  }

  one(type: Aggregate, field: string, value: unknown): Data | null {
    return this.all(type).find((state) => state[field] === value) ?? null;
  }

  /** A row of GET /campaigns. */
  summary(campaign: Data): Data {
    const { order, stage_id, ...status } = this.status(campaign);
    const payment = of(order)['payment_state'] ?? null;
    const waits =
      (stage_id === 'plan_ready' && status['open_change'] === false) ||
      (stage_id === 'approved' && payment === 'unpaid');
    return {
      ...fields(campaign, ['id', 'display_name', 'company', 'product', 'objective']),
      ...fields(status, ['created_at', 'plan_status', 'open_change', 'intent_status', 'refunded_at', 'archived_at']),
      stage_id,
      waits_on_you: status['archived_at'] === null && waits,
    };
  }

  /** GET /campaigns/{id}. */
  status(campaign: Data): Data {
    const plan = this.one('plan', 'campaign_id', campaign['id']);
    const order = this.one('order', 'campaign_id', campaign['id']);
    const lines = listOf(plan?.['lines']).map((line) => this.line(line));
    return {
      ...fields(campaign, ['id', 'campaign', 'created_at', 'archived_at', 'intent_status', 'open_change', 'moment']),
      ...fields(campaign, ['launch_post_url', 'replacements', 'creator_guidelines']),
      refunded_at: order?.['refunded_at'] ?? null,
      plan_status: plan?.['status'] ?? null,
      stage_id: stageOf(campaign, plan, (order?.['payment_state'] ?? null) as string | null, lines),
      plan: plan === null ? null : planOf(plan, lines),
      order: order === null ? null : fields(order, ORDER),
    };
  }

  private line(line: Data): Data {
    const states = this.statesOf(line['id']);
    const { offer } = states;
    const date = offer?.['scheduled_date'] ?? line['scheduled_date'];
    const { state, updated_at, replaced_creator_id } = of(offer?.['proposal']);
    return {
      ...fields(line, ['id', 'channel', 'price_cents']),
      scheduled_date: date,
      // The slot of another day is a text of the reads.
      slot: date === line['scheduled_date'] ? line['slot'] : null,
      status: lineStatusOf(states),
      stage_id: lineStageOf(states),
      proposal: offer === null ? null : { state, updated_at, replaced: replaced_creator_id !== null },
    };
  }

  private statesOf(line: unknown): LineStates {
    const plan = this.all('plan').find(({ lines }) => listOf(lines).some(({ id }) => id === line));
    const order = this.one('order', 'plan_id', plan?.['id']);
    return {
      offer: this.one('line', 'id', line),
      post: this.one('post', 'line_id', line),
      order: (order?.['payment_state'] ?? null) as string | null,
    };
  }

  /** GET /plans/{id}/quote. */
  quote(plan: Data): Data {
    const order = this.one('order', 'plan_id', plan['id']);
    const campaign = this.one('campaign', 'id', plan['campaign_id']);
    const lines = listOf(plan['lines']);
    const signed = plan['status'] === 'approved';
    const totals = totalsOf(lines, (campaign?.['budget_cents'] ?? null) as number | null);
    return {
      plan_id: plan['id'],
      ...fields(plan, ['campaign_id', 'version', 'status', 'currency', 'terms_fingerprint', 'total_cents']),
      ...fields(plan, ['launch_window_start', 'launch_window_end']),
      totals: {
        ...totals,
        // Before the signature current prices decide it too, at each read.
        remaining_cents: signed ? totals['remaining_cents'] : null,
      },
      lines: lines.map((line) => ({
        ...fields(line, ['id', 'unit_id', 'channel', 'format', 'scheduled_date', 'price_cents']),
        ...fields(this.filled(line), ['creator_id', 'expected_views_low', 'expected_views_high']),
        stage_id: lineStageOf(this.statesOf(line['id'])),
      })),
      // Before the signature it is decided at each read.
      blocked_lines: signed
        ? lines.flatMap(({ id }) => (lineStatusOf(this.statesOf(id)) === 'blocked' ? [id] : []))
        : null,
      over_budget: null,
      order: order === null ? null : fields(order, ORDER),
    };
  }

  /** Who posts on a line: the creator who was signed, or the one who took it over. */
  private filled(line: Data): Data {
    const offer = this.one('line', 'id', line['id']);
    return offer === null || offer['creator_id'] === line['creator_id'] ? line : offer;
  }

  /** GET /orders/{id}. */
  order({ key_id: _key, ...order }: Data): Data {
    return order;
  }

  /** GET /evidence. */
  proof(): Data[] {
    return this.listed().map(({ post, states, states: { offer } }) => ({
      id: post['line_id'],
      line_id: post['line_id'],
      creator_id: offer?.['creator_id'] ?? null,
      campaign_id: post['campaign_id'],
      campaign: this.one('campaign', 'id', post['campaign_id'])?.['display_name'] ?? null,
      status: post['still_up'] === null ? 'live' : 'completed',
      ...fields(post, ['published_at', 'disclosed', 'still_up']),
      ...(isLineOver(states) ? { cancelled: true } : {}),
    }));
  }

  /** GET /results. */
  results(): Data[] {
    const proof = this.proof();
    return this.listed().map(({ post, reading, states: { offer }, line }, at) => ({
      ...proof[at],
      scheduled_date: offer?.['scheduled_date'] ?? null,
      snapshots: reading?.['snapshots'] ?? 0,
      latest: reading === null ? null : readAs(of(reading['latest']), 'as_of', ['clicks']),
      previous: reading?.['previous'] == null ? null : readAs(of(reading['previous']), 'captured_at'),
      spend_cents: spentOn(line, offer),
      currency: this.one('plan', 'id', post['plan_id'])?.['currency'] ?? null,
    }));
  }

  /** The posts that proof and results list, each with its line and what its readings add up to. */
  private listed(): { post: Data; reading: Data | null; states: LineStates; line: Data }[] {
    return this.all('post')
      .filter((post) => post['listed'] === true)
      .map((post) => {
        const read = this.one('reading', 'line_id', post['line_id']);
        const isOfPost =
          read !== null && read['attempt'] === post['attempt'] && read['published_at'] === post['published_at'];
        const lines = listOf(this.one('plan', 'id', post['plan_id'])?.['lines']);
        return {
          post,
          reading: isOfPost ? read : null,
          states: this.statesOf(post['line_id']),
          line: lines.find(({ id }) => id === post['line_id']) ?? {},
        };
      });
  }

  /** GET /lines/{id}/dispute, newest first. */
  claims(line: unknown): Data[] {
    return listOf(this.one('post', 'line_id', line)?.['claims']).toReversed();
  }

  /** The newest item of GET /lines/{id}/integrity. */
  seenLast(line: unknown): unknown {
    return this.one('post', 'line_id', line)?.['integrity'] ?? null;
  }
}

const planOf = (plan: Data, lines: readonly Data[]): Data => {
  const signed = plan['status'] === 'approved';
  return {
    ...fields(plan, ['id', 'version', 'status', 'launch_window_start', 'launch_window_end', 'currency']),
    ...fields(plan, ['sent_at', 'approved_at', 'total_cents']),
    // Before the signature it is decided at each read which lines are blocked.
    lines: lines.map((line) => (signed ? line : { ...line, status: null })),
    lines_by_status: signed ? countedBy(lines, 'status') : null,
    lines_by_stage: countedBy(lines, 'stage_id'),
  };
};

const readAs = (figures: Data, time: string, more: readonly string[] = []): Data => ({
  [time]: figures['captured_at'],
  ...fields(figures, ['views', 'likes', 'comments', 'shares', ...more]),
});

/**
 * What a post costs: the price paid for its line less what this owes
 * (docs/domain/orders.md#fields-of-proof-and-results).
 */
const spentOn = (line: Data, offer: Data | null): number =>
  listOf(offer?.['credits']).reduce(
    (cents, { amount_cents }) => Math.max(0, cents - Number(amount_cents)),
    Number(line['price_cents']),
  );
