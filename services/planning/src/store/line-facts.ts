import type { EventPayload } from '@cds/contracts';
import { type Collection, type Store, upserted } from '@cds/service';

type Proposal = EventPayload<'line.changed'>['proposal'] & { creator_id: string };
type Filled = Pick<LineChanged, 'unit_id' | 'deliverable' | 'views_low' | 'views_high'>;
type Post = Pick<EventPayload<'post.changed'>, 'status' | 'blocked_reason' | 'published_at' | 'still_up_at'> & {
  /** Absent in facts of older events. */
  next?: { kind: string; at: string } | null;
  /** The proposal's attempt that the post belongs to. Absent in facts of older events. */
  attempt?: number;
};
type LineChanged = EventPayload<'line.changed'>;

/** Kept outside the plan, so that no event disturbs its compare-and-set; each producer has its own version. */
export type LineFacts = {
  _id: string;
  ws: string;
  plan_id: string;
  proposal_version: number;
  proposal: Proposal | null;
  /** Absent in facts of older events. */
  filled?: Filled;
  scheduled_date: string | null;
  booked: boolean;
  cancelled: boolean;
  attempt?: number;
  search?: LineChanged['search'];
  ends_at?: string | null;
  cancel_cause?: LineChanged['cancel_cause'];
  credits?: LineChanged['credits'];
  post_version: number;
  post: Post | null;
};

export type ProgressFacts = Pick<LineFacts, 'booked' | 'cancelled' | 'attempt'> & {
  proposal: Pick<Proposal, 'state'> | null;
  post: Pick<Post, 'status' | 'blocked_reason' | 'attempt'> | null;
};

export type PlanProgress = { lines: number; facts: ProgressFacts[] };

const PROGRESS = {
  booked: '$booked',
  cancelled: '$cancelled',
  attempt: '$attempt',
  proposal: { $cond: ['$proposal', { state: '$proposal.state' }, null] },
  post: {
    $cond: [
      '$post',
      { status: '$post.status', blocked_reason: '$post.blocked_reason', attempt: '$post.attempt' },
      null,
    ],
  },
};

export type LineFactsMap = ReadonlyMap<string, LineFacts>;

type Projected = 'proposal_version' | 'post_version';

export class LineFactsStore {
  readonly rows: Collection<LineFacts>;

  constructor(store: Store) {
    this.rows = store.collection<LineFacts>({ name: 'line_facts', indexes: [{ key: { plan_id: 1, ws: 1 } }] });
  }

  async byPlans(ws: string, planIds: readonly string[]): Promise<LineFactsMap> {
    if (planIds.length === 0) return new Map();
    const rows = await this.rows.find({ ws, plan_id: { $in: [...planIds] } }).toArray();
    return new Map(rows.map((row) => [row._id, row]));
  }

  /** A workspace may have many thousand lines. */
  async progressOf(ws: string, planIds: readonly string[]): Promise<ReadonlyMap<string, PlanProgress>> {
    if (planIds.length === 0) return new Map();
    const plans = await this.rows
      .aggregate<PlanProgress & { _id: string }>([
        { $match: { ws, plan_id: { $in: [...planIds] } } },
        { $group: { _id: '$plan_id', lines: { $sum: 1 }, facts: { $addToSet: PROGRESS } } },
      ])
      .toArray();
    return new Map(plans.map((plan) => [plan._id, plan]));
  }

  async ofPlans(planIds: readonly string[]): Promise<LineFactsMap> {
    if (planIds.length === 0) return new Map();
    const rows = await this.rows.find({ plan_id: { $in: [...planIds] } }).toArray();
    return new Map(rows.map((row) => [row._id, row]));
  }

  async applyProposals(events: readonly LineChanged[]): Promise<void> {
    await this.apply(
      newestOfEach(events).map((event) => ({
        event,
        which: 'proposal_version',
        facts: {
          proposal: { ...event.proposal, creator_id: event.creator_id },
          filled: {
            unit_id: event.unit_id,
            deliverable: event.deliverable,
            views_low: event.views_low,
            views_high: event.views_high,
          },
          scheduled_date: event.scheduled_date,
          booked: event.booked,
          cancelled: event.cancelled,
          attempt: event.attempt,
          search: event.search ?? null,
          ends_at: event.ends_at ?? null,
          cancel_cause: event.cancel_cause ?? null,
          credits: event.credits ?? [],
        },
      })),
    );
  }

  async applyPost(event: EventPayload<'post.changed'>): Promise<void> {
    const { status, blocked_reason, published_at, still_up_at, next = null, attempt } = event;
    const post = { status, blocked_reason, published_at, still_up_at, next };
    const facts = { post: attempt === undefined ? post : { ...post, attempt } };
    await this.apply([{ event, which: 'post_version', facts }]);
  }

  /** An older or repeated state changes nothing (I54). */
  private async apply(
    states: readonly {
      event: { line_id: string; workspace: string; plan_id: string; version: number };
      which: Projected;
      facts: Partial<LineFacts>;
    }[],
  ): Promise<void> {
    const writes = states.map(({ event, which, facts }) => ({
      updateOne: {
        filter: { _id: event.line_id, ws: event.workspace },
        update: [
          { $replaceWith: { $mergeObjects: [{ $literal: emptyFacts(event.plan_id) }, '$$ROOT'] } },
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
        upsert: true,
      },
    }));
    await upserted(() => this.rows.bulkWrite(writes, { ordered: false }));
  }
}

const emptyFacts = (plan_id: string): Omit<LineFacts, '_id' | 'ws'> => ({
  plan_id,
  proposal_version: 0,
  proposal: null,
  scheduled_date: null,
  booked: false,
  cancelled: false,
  post_version: 0,
  post: null,
});

const newestOfEach = (events: readonly LineChanged[]): LineChanged[] => {
  const newest = new Map<string, LineChanged>();
  for (const event of events) {
    const known = newest.get(event.line_id);
    if (known === undefined || known.version < event.version) newest.set(event.line_id, event);
  }
  return [...newest.values()];
};
