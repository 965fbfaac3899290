import type { FeedEventResource } from '@cds/contracts';

type Data = Record<string, unknown>;

const of = (value: unknown): Data => (typeof value === 'object' && value !== null ? (value as Data) : {});
const listOf = (value: unknown): Data[] => (Array.isArray(value) ? (value as Data[]) : []);

const ENDED = ['cancelled', 'refunded'];
/** What a sandbox's reset leaves. */
const STAYS: ReadonlySet<string> = new Set(['mandate', 'limit']);
const PAID = ['paid', 'partially_refunded'];

/**
 * What a reader of the feed knows, from its events alone (docs/domain/access.md#events): it keeps the newest state of
 * each aggregate, and derives the stages by the rules of docs/domain/orders.md#lines and #campaign-stage.
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

  get events(): number {
    return this.ids.size;
  }

  all(type: FeedEventResource['aggregate']['type']): Data[] {
    return [...(this.states.get(type)?.values() ?? [])];
  }

  private one(type: FeedEventResource['aggregate']['type'], field: string, id: unknown): Data | null {
    return this.all(type).find((state) => state[field] === id) ?? null;
  }

  /** A campaign as GET /campaigns/{id} answers it, as far as the feed says. */
  status(campaign: Data): Data {
    const plan = this.one('plan', 'campaign_id', campaign['id']);
    const order = this.one('order', 'campaign_id', campaign['id']);
    const state = (order?.['payment_state'] ?? null) as string | null;
    const lines = listOf(plan?.['lines']).map((line) => this.line(line, state));
    return {
      id: campaign['id'],
      campaign: campaign['campaign'],
      created_at: campaign['created_at'],
      refunded_at: order?.['refunded_at'] ?? null,
      archived_at: campaign['archived_at'],
      intent_status: campaign['intent_status'],
      plan_status: plan?.['status'] ?? null,
      open_change: campaign['open_change'],
      stage_id: stageOf(campaign, plan, state, lines),
      moment: campaign['moment'],
      launch_post_url: campaign['launch_post_url'],
      replacements: campaign['replacements'],
      creator_guidelines: campaign['creator_guidelines'],
      plan: plan === null ? null : planOf(plan, lines),
      order:
        order === null ? null : fields(order, ['payment_state', 'total_cents', 'currency', 'signed_at', 'paid_at']),
    };
  }

  private line(line: Data, order: string | null): Data {
    const offer = this.one('line', 'id', line['id']);
    const post = countedPost(offer, this.one('post', 'line_id', line['id']));
    return {
      id: line['id'],
      channel: line['channel'],
      scheduled_date: offer?.['scheduled_date'] ?? line['scheduled_date'],
      price_cents: line['price_cents'],
      stage_id: lineStageOf(offer, post, order),
    };
  }

  /** A plan as GET /plans/{id}/quote answers it, as far as the feed says. */
  quote(plan: Data): Data {
    const order = this.one('order', 'plan_id', plan['id']);
    const state = (order?.['payment_state'] ?? null) as string | null;
    return {
      plan_id: plan['id'],
      ...fields(plan, ['campaign_id', 'version', 'status', 'currency', 'terms_fingerprint', 'total_cents']),
      ...fields(plan, ['launch_window_start', 'launch_window_end']),
      lines: listOf(plan['lines']).map((line) => ({
        id: line['id'],
        unit_id: line['unit_id'],
        format: line['format'],
        price_cents: line['price_cents'],
        ...fields(this.filled(line), ['creator_id', 'expected_views_low', 'expected_views_high']),
        stage_id: this.line(line, state)['stage_id'],
      })),
    };
  }

  /** Who posts on a line: the creator who was signed, or the one who took it over. */
  private filled(line: Data): Data {
    const offer = this.one('line', 'id', line['id']);
    return offer === null || offer['creator_id'] === line['creator_id'] ? line : offer;
  }

  /** The mandates that GET /api/brand/keys shows, by key, at business time `now`; the keys without one are left out. */
  mandates(now: string): Map<string, Data> {
    const inForce = this.all('mandate').flatMap((one): [string, Data][] => {
      const mandate = this.inForce(one);
      const id = one['key_id'] as string;
      return mandate === null
        ? []
        : [[id, { key_id: id, ...mandate, spent_this_month_cents: this.spent(id, now.slice(0, 7)) }]];
    });
    return new Map(inForce);
  }

  /** What a mandate allows now: a child's is within its parent's (docs/domain/access.md#child-keys). */
  private inForce({ mandate, parent_id }: Data): Data | null {
    if (mandate === null || parent_id === null) return mandate as Data | null;
    const parent = this.one('mandate', 'key_id', parent_id)?.['mandate'] ?? null;
    return parent === null ? null : within(of(mandate), of(parent));
  }

  /** What a key and its children signed in a month, but for what was cancelled (docs/domain/orders.md#spend). */
  private spent(key: string, month: string): number {
    const family = new Set([key]);
    for (const one of this.all('mandate')) if (one['parent_id'] === key) family.add(one['key_id'] as string);
    return this.all('order')
      .filter((order) => family.has(order['key_id'] as string) && order['payment_state'] !== 'cancelled')
      .filter((order) => String(order['signed_at']).startsWith(month))
      .reduce((sum, order) => sum + Number(order['total_cents']), 0);
  }

  /** What GET /limits shows of the mandate of a key, at business time `now`. */
  mandatePools(key: string, now: string): Data[] {
    const mandates = this.mandates(now);
    const mandate = mandates.get(key);
    if (mandate === undefined) return [];
    const parent = mandates.get(String(this.one('mandate', 'key_id', key)?.['parent_id']));
    const cap = (scope: string, { monthly_cap_cents: limit, spent_this_month_cents: spent }: Data): Data => ({
      name: 'over_monthly_cap',
      scope,
      limit,
      left: Math.max(0, Number(limit) - Number(spent)),
    });
    const most = mandate['max_plan_cents'];
    return [
      { name: 'over_max_plan_total', scope: 'key', limit: most, left: most },
      cap('key', mandate),
      ...(parent === undefined ? [] : [cap('parent', parent)]),
    ];
  }

  /** The posts that GET /evidence and GET /results list, with their proof and figures. */
  posts(): Data[] {
    return (
      this.all('post')
        // A post that was gone before its proof is not evidence (docs/domain/orders.md#results).
        .filter((post) => post['published_at'] !== null)
        .filter((post) => post['blocked_reason'] !== 'post_gone' || post['still_up'] !== null)
        .map((post) => {
          const read = this.one('reading', 'line_id', post['line_id']);
          const reading = read !== null && read['attempt'] === post['attempt'] ? read : null;
          const latest = reading === null ? null : of(reading['latest']);
          return {
            id: post['line_id'],
            campaign_id: post['campaign_id'],
            published_at: post['published_at'],
            proved_at: reading === null ? null : (of(reading['still_up'])['checked_at'] ?? null),
            snapshots: reading?.['snapshots'] ?? 0,
            as_of: latest?.['captured_at'] ?? null,
            ...fields(latest ?? {}, ['views', 'clicks', 'likes', 'comments', 'shares']),
            before: reading === null ? null : (of(reading['previous'])['captured_at'] ?? null),
          };
        })
    );
  }
}

const fields = (from: Data, names: readonly string[]): Data =>
  Object.fromEntries(names.map((name) => [name, from[name] ?? null]));

const earlier = (one: unknown, other: unknown) => (String(one) < String(other) ? one : other);
const later = (one: unknown, other: unknown) => (String(one) > String(other) ? one : other);
const lower = (one: unknown, other: unknown) => Math.min(Number(one), Number(other));

/** The lower of each limit, and the terms that were accepted for the parent. */
const within = (child: Data, parent: Data): Data => {
  const signs = child['may_approve'] === true && parent['may_approve'] === true;
  return {
    version: child['version'],
    max_plan_cents: lower(child['max_plan_cents'], parent['max_plan_cents']),
    monthly_cap_cents: lower(child['monthly_cap_cents'], parent['monthly_cap_cents']),
    channels: (child['channels'] as string[]).filter((one) => (parent['channels'] as string[]).includes(one)),
    may_approve: signs,
    expires_at: earlier(child['expires_at'], parent['expires_at']),
    updated_at: later(child['updated_at'], parent['updated_at']),
    ...fields(signs ? parent : {}, ['terms_version', 'terms_accepted_at']),
  };
};

const planOf = (plan: Data, lines: readonly Data[]): Data => ({
  ...fields(plan, ['id', 'version', 'status', 'launch_window_start', 'launch_window_end', 'currency']),
  ...fields(plan, ['sent_at', 'approved_at', 'total_cents']),
  lines,
});

/** A post counts while its creator is booked; a former creator's says nothing (docs/domain/orders.md#line-stage). */
const countedPost = (offer: Data | null, post: Data | null): Data | null =>
  offer?.['booked'] === true && post?.['attempt'] === offer['attempt'] ? post : null;

const lineStageOf = (offer: Data | null, post: Data | null, order: string | null): string => {
  if (offer?.['cancelled'] === true || (order !== null && ENDED.includes(order))) return 'cancelled';
  const status = post?.['status'];
  if (status === 'completed') return 'proof_attached';
  if (status === 'live' || (status === 'blocked' && post?.['blocked_reason'] === 'no_disclosure')) return 'live';
  if (offer?.['booked'] === true) return 'scheduled';
  const proposal = of(offer?.['proposal'])['state'];
  if (proposal === 'accepted') return 'creator_confirmed';
  return proposal === 'sent' ? 'offered' : 'planned';
};

const stageOf = (campaign: Data, plan: Data | null, order: string | null, lines: readonly Data[]): string => {
  if (order !== null && ENDED.includes(order)) return 'cancelled';
  if (order !== null && PAID.includes(order)) {
    const kept = lines.map((line) => line['stage_id'] as string).filter((stage) => stage !== 'cancelled');
    if (kept.length > 0 && kept.every((stage) => stage === 'proof_attached')) return 'complete';
    return kept.some((stage) => ['scheduled', 'live', 'proof_attached'].includes(stage)) ? 'running' : 'paid';
  }
  if (plan?.['status'] === 'approved') return 'approved';
  if (plan?.['status'] === 'awaiting_approval') return 'plan_ready';
  return campaign['sent_to_team_at'] === null ? 'draft' : 'sent';
};
