import type { EventPayload } from '@cds/contracts';
import { type Collection, type Store, upserted } from '@cds/service';

type Proposal = EventPayload<'line.changed'>['proposal'] & { creator_id: string };
type Post = Pick<EventPayload<'post.changed'>, 'status' | 'blocked_reason' | 'published_at' | 'still_up_at'> & {
  /** Absent in facts of older events. */
  next?: { kind: string; at: string } | null;
};
type LineChanged = EventPayload<'line.changed'>;

/**
 * What the events of proposals and metrics say about one paid line. It is kept outside the plan, so that no event
 * disturbs the plan's compare-and-set; each producer's part has its own version.
 */
export type LineFacts = {
  _id: string;
  ws: string;
  plan_id: string;
  proposal_version: number;
  proposal: Proposal | null;
  scheduled_date: string | null;
  booked: boolean;
  cancelled: boolean;
  /** Absent in facts of older events, as are the next three. */
  search?: LineChanged['search'];
  ends_at?: string | null;
  cancel_cause?: LineChanged['cancel_cause'];
  credits?: LineChanged['credits'];
  post_version: number;
  post: Post | null;
};

/** Facts of lines by line id. */
export type LineFactsMap = ReadonlyMap<string, LineFacts>;

type Projected = 'proposal_version' | 'post_version';

/** The projection of line and post events. */
export class LineFactsStore {
  readonly rows: Collection<LineFacts>;

  constructor(store: Store) {
    this.rows = store.collection<LineFacts>({ name: 'line_facts', indexes: [{ key: { ws: 1, plan_id: 1 } }] });
  }

  async byPlans(ws: string, planIds: readonly string[]): Promise<LineFactsMap> {
    if (planIds.length === 0) return new Map();
    const rows = await this.rows.find({ ws, plan_id: { $in: [...planIds] } }).toArray();
    return new Map(rows.map((row) => [row._id, row]));
  }

  /** The same for plans of any workspaces, for operators. */
  async ofPlans(planIds: readonly string[]): Promise<LineFactsMap> {
    if (planIds.length === 0) return new Map();
    const rows = await this.rows.find({ plan_id: { $in: [...planIds] } }).toArray();
    return new Map(rows.map((row) => [row._id, row]));
  }

  async applyProposal(event: EventPayload<'line.changed'>): Promise<void> {
    await this.apply(event, 'proposal_version', {
      proposal: { ...event.proposal, creator_id: event.creator_id },
      scheduled_date: event.scheduled_date,
      booked: event.booked,
      cancelled: event.cancelled,
      search: event.search ?? null,
      ends_at: event.ends_at ?? null,
      cancel_cause: event.cancel_cause ?? null,
      credits: event.credits ?? [],
    });
  }

  async applyPost(event: EventPayload<'post.changed'>): Promise<void> {
    const { status, blocked_reason, published_at, still_up_at, next = null } = event;
    await this.apply(event, 'post_version', { post: { status, blocked_reason, published_at, still_up_at, next } });
  }

  /** Applies a state that is newer than the stored one; an older or repeated one changes nothing (I54). */
  private async apply(
    event: { line_id: string; workspace: string; plan_id: string; version: number },
    which: Projected,
    facts: Partial<LineFacts>,
  ): Promise<void> {
    const empty: Omit<LineFacts, '_id' | 'ws'> = {
      plan_id: event.plan_id,
      proposal_version: 0,
      proposal: null,
      scheduled_date: null,
      booked: false,
      cancelled: false,
      post_version: 0,
      post: null,
    };
    await upserted(() =>
      this.rows.updateOne(
        { _id: event.line_id, ws: event.workspace },
        [
          { $replaceWith: { $mergeObjects: [{ $literal: empty }, '$$ROOT'] } },
          {
            $replaceWith: {
              $cond: [
                { $lt: [`$${which}`, event.version] },
                { $mergeObjects: ['$$ROOT', { $literal: { ...facts, [which]: event.version } }] },
                '$$ROOT',
              ],
            },
          },
        ],
        { upsert: true },
      ),
    );
  }
}
