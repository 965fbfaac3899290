import type { FeedAggregate, FeedEventResource, FeedKind } from '@cds/contracts';
import { type Collection, isDuplicate, LostRace, type Store, type Tx } from '@cds/service';
import { namedUuid } from '@cds/service/named-uuid';
import type { Fact } from '../domain/feed-events.js';

/**
 * An event of a workspace's feed (docs/domain/events.md#events). `seq` is its place in the feed, from 1 without gaps
 * except for what a sandbox's reset removed; `version` its place in its aggregate.
 */
export type FeedEvent = {
  id: string;
  ws: string;
  seq: number;
  at: Date;
  kind: FeedKind;
  aggregate: { type: FeedAggregate; id: string };
  version: number;
  data: Record<string, unknown>;
};

export type NewFeedEvent = Omit<FeedEvent, 'id' | 'seq'>;

export const eventOf = ({ workspace, kind, aggregate, version, data }: Fact, at: Date): NewFeedEvent => ({
  ws: workspace,
  at,
  kind,
  aggregate,
  version,
  data,
});

/** Which versions of its aggregate an event may be: any newer one, or the next. */
type Taking = 'newer' | 'next only';
type Adding = 'added' | 'known' | 'early';

/** `end` counts the bytes of the feed up to and with this event. */
type FeedRow = Omit<FeedEvent, 'id'> & { _id: string; end?: number };

/** The newest version of an aggregate. It outlives the events, so that none comes again. */
type HeadRow = { _id: string; ws: string; type: FeedAggregate; version: number; at: Date };

/**
 * The last place of a workspace's feed, and when its newest reset ended: what happened until then counts as before it.
 * It is `clearing` while events from before are removed and the event of the reset is not there yet.
 */
type CounterRow = { _id: string; seq: number; bytes?: number; reset_at?: Date; clearing?: boolean };

/** How long an event is kept after it happened (docs/domain/events.md#events). */
const KEPT_SECONDS = 35 * 86_400;
/** How many bytes a workspace's feed keeps at most (docs/domain/events.md#events), and how often it is trimmed. */
const KEPT_BYTES = 15_000_000;
const TRIMMED_EVERY = 1_000_000;
/** What a row takes besides the JSON of its data. */
const ROW_BYTES = 500;

/** The aggregates that a reset of their sandbox removes; keys and their limits stay. */
const OF_SANDBOX: readonly FeedAggregate[] = ['campaign', 'plan', 'order', 'line', 'post', 'reading'];

/** The aggregates whose events a reset removes: those, and the sandbox itself with its earlier resets. */
export const RESET_REMOVES: readonly FeedAggregate[] = [...OF_SANDBOX, 'sandbox'];

const removedBy = (ws: string, until: Date) => ({
  ws,
  'aggregate.type': { $in: [...RESET_REMOVES] },
  at: { $lte: until },
});

/**
 * The feed of each workspace. The transaction that adds an event counts the workspace's counter up, so that events
 * become visible in the order of their places, and a reader who has read up to its head has missed none.
 */
export class Feed {
  private readonly rows: Collection<FeedRow>;
  private readonly heads: Collection<HeadRow>;
  private readonly counters: Collection<CounterRow>;

  constructor(store: Store) {
    this.rows = store.collection<FeedRow>({
      name: 'feed',
      indexes: [
        { key: { ws: 1, seq: 1 }, unique: true },
        { key: { ws: 1, 'aggregate.type': 1, 'aggregate.id': 1, version: 1 }, unique: true },
        { key: { at: 1 }, expireAfterSeconds: KEPT_SECONDS },
      ],
    });
    this.heads = store.collection<HeadRow>({ name: 'feed_heads', indexes: [{ key: { ws: 1, type: 1 } }] });
    this.counters = store.collection<CounterRow>({ name: 'feed_counters' });
  }

  /**
   * The next events after a place, oldest first, of some kinds or of all, and the place to continue from. It reads up
   * to `head`, a place that the feed has reached: a scan beyond it could pass one that becomes visible behind it.
   */
  async next(
    { ws, seq, kinds }: { ws: string; seq: number; kinds?: readonly FeedKind[] | undefined },
    head: number,
    limit: number,
  ): Promise<{ events: FeedEvent[]; seq: number }> {
    const events = head > seq ? await this.between(ws, { after: seq, upTo: head }, limit, kinds) : [];
    return { events, seq: events.length === limit ? (events.at(-1)?.seq ?? seq) : Math.max(seq, head) };
  }

  private async between(
    ws: string,
    { after, upTo }: { after: number; upTo: number },
    limit: number,
    kinds?: readonly FeedKind[],
  ): Promise<FeedEvent[]> {
    const rows = await this.rows
      .find({ ws, seq: { $gt: after, $lte: upTo }, ...(kinds === undefined ? {} : { kind: { $in: [...kinds] } }) })
      .sort({ seq: 1 })
      .limit(limit)
      .toArray();
    return rows.map(({ _id, end: _end, ...event }) => ({ id: _id, ...event }));
  }

  async head(ws: string): Promise<number> {
    return (await this.counters.findOne({ _id: ws }))?.seq ?? 0;
  }

  async headsOf(workspaces: readonly string[]): Promise<Map<string, number>> {
    const found = await this.counters.find({ _id: { $in: [...workspaces] } }).toArray();
    return new Map(found.map(({ _id, seq }) => [_id, seq]));
  }

  /** The first place that is still kept; the one after the last when nothing is. */
  async oldest(ws: string): Promise<number> {
    const kept = await this.first(ws);
    if (kept !== null) return kept.seq;
    const head = await this.head(ws);
    // An event that came between the two reads is the oldest, and must not count as one that is gone.
    return (await this.first(ws))?.seq ?? head + 1;
  }

  /** The oldest event that is still kept; null when there is none. */
  async first(ws: string): Promise<FeedEvent | null> {
    return (await this.between(ws, { after: 0, upTo: Number.MAX_SAFE_INTEGER }, 1))[0] ?? null;
  }

  async versionOf(event: Pick<FeedEvent, 'ws' | 'aggregate'>): Promise<number> {
    return this.headOf(event);
  }

  private async headOf({ ws, aggregate }: Pick<FeedEvent, 'ws' | 'aggregate'>): Promise<number> {
    return (await this.heads.findOne({ _id: headId(ws, aggregate), ws }))?.version ?? 0;
  }

  /**
   * Adds an event unless its aggregate has this version or a newer one, or a reset removed it. With `next only` a
   * version that is not the next one is `early`, and not added. Raises LostRace when another process adds the first
   * event of the same aggregate or workspace at this moment.
   */
  async add(tx: Tx, event: NewFeedEvent, takes: Taking = 'newer'): Promise<Adding> {
    const [adding] = await this.addAll(tx, [{ event, takes }]);
    return adding ?? 'known';
  }

  async addAll(tx: Tx, events: readonly { event: NewFeedEvent; takes: Taking }[]): Promise<Adding[]> {
    const versions = await this.versionsOf(
      tx,
      events.map(({ event }) => event),
    );
    const counters = await this.countersOf(
      tx,
      events.map(({ event }) => event.ws),
    );
    const added: NewFeedEvent[] = [];
    const outcomes = events.map(({ event, takes }): Adding => {
      const head = headId(event.ws, event.aggregate);
      const known = versions.get(head) ?? 0;
      if (known >= event.version) return 'known';
      const resetAt = counters.get(event.ws)?.reset_at;
      if (resetAt !== undefined && event.at <= resetAt && RESET_REMOVES.includes(event.aggregate.type)) return 'known';
      if (takes === 'next only' && event.version > known + 1) return 'early';
      versions.set(head, event.version);
      added.push(event);
      return 'added';
    });
    await this.append(tx, counters, added);
    return outcomes;
  }

  /** Adds first or next versions of several aggregates of one workspace, decided in `tx`. Raises LostRace. */
  async addOwn(tx: Tx, ws: string, events: readonly NewFeedEvent[]): Promise<void> {
    if (events.length > 0) await this.append(tx, await this.countersOf(tx, [ws]), events);
  }

  private async versionsOf(tx: Tx, events: readonly NewFeedEvent[]): Promise<Map<string, number>> {
    const ids = events.map(({ ws, aggregate }) => headId(ws, aggregate));
    const ws = { $in: events.map((event) => event.ws) };
    const heads = await this.heads.find({ _id: { $in: ids }, ws }, tx.options()).toArray();
    return new Map(heads.map(({ _id, version }) => [_id, version]));
  }

  private async countersOf(tx: Tx, workspaces: readonly string[]): Promise<Map<string, CounterRow>> {
    const rows = await this.counters.find({ _id: { $in: [...workspaces] } }, tx.options()).toArray();
    return new Map(rows.map((row) => [row._id, row]));
  }

  /** Gives events the next places of their workspaces. */
  private async append(
    tx: Tx,
    counters: ReadonlyMap<string, CounterRow>,
    events: readonly NewFeedEvent[],
  ): Promise<void> {
    if (events.length === 0) return;
    const last = new Map<string, { seq: number; bytes: number }>();
    const heads = new Map<string, HeadRow>();
    const rows = events.map((event): FeedRow => {
      const { ws, aggregate, version, at } = event;
      const before = last.get(ws) ?? counters.get(ws);
      const seq = (before?.seq ?? 0) + 1;
      const end = (before?.bytes ?? 0) + Buffer.byteLength(JSON.stringify(event.data)) + ROW_BYTES;
      last.set(ws, { seq, bytes: end });
      heads.set(headId(ws, aggregate), { _id: headId(ws, aggregate), ws, type: aggregate.type, version, at });
      return { _id: feedId(event), ...event, seq, end };
    });
    try {
      await this.heads.bulkWrite(
        [...heads.values()].map(({ _id, ws, type, version, at }) => ({
          updateOne: { filter: { _id, ws }, update: { $set: { type, version }, $max: { at } }, upsert: true },
        })),
        tx.options(),
      );
      // Of two transactions that count the same counter up, the server aborts one, and it begins again.
      await this.counters.bulkWrite(
        [...last].map(([_id, to]) => ({ updateOne: { filter: { _id }, update: { $set: to }, upsert: true } })),
        tx.options(),
      );
      await this.rows.insertMany(rows, tx.options());
    } catch (error) {
      throw isDuplicate(error) ? new LostRace('feed') : error;
    }
    for (const [ws, { bytes }] of last) {
      const grew = Math.floor(bytes / TRIMMED_EVERY) > Math.floor((counters.get(ws)?.bytes ?? 0) / TRIMMED_EVERY);
      if (grew && bytes > KEPT_BYTES) await this.trim(tx, ws, bytes - KEPT_BYTES);
    }
  }

  private async trim(tx: Tx, ws: string, before: number): Promise<void> {
    await this.rows.deleteMany({ ws, end: { $lt: before } }, tx.options());
  }

  /** Whether a reset removed what is gone after a place: its event comes later, or will once the reset ends. */
  async endsInReset(ws: string, seq: number): Promise<boolean> {
    if (await this.isClearing(ws)) return true;
    if ((await this.rows.findOne({ ws, seq: { $gt: seq }, kind: 'sandbox.reset' })) !== null) return true;
    // The next reset may have begun between the two reads, and removed the event of the one before.
    return this.isClearing(ws);
  }

  private async isClearing(ws: string): Promise<boolean> {
    return (await this.counters.findOne({ _id: ws }))?.clearing === true;
  }

  /**
   * The last place before the first event that a reset would remove; the last place of all when there is none. After
   * `clear`, these are the events since the reset.
   */
  async beforeSandbox(ws: string): Promise<number> {
    const head = await this.head(ws);
    const first = await this.rows.findOne({ ws, 'aggregate.type': { $in: [...RESET_REMOVES] } }, { sort: { seq: 1 } });
    return first === null ? head : first.seq - 1;
  }

  /**
   * Removes what a reset of a sandbox removes of its events, outside a transaction, so that `empty` has few left to
   * remove. From its start on, nothing from before is added any more.
   */
  async clear(ws: string, endedAt: Date): Promise<void> {
    // Before the first event is gone, so that no cursor from before counts as expired. Whoever repeats this finds the
    // time of the reset, and changes nothing, also after `empty`.
    const isNoted = { $gte: ['$reset_at', endedAt] };
    await this.counters.updateOne(
      { _id: ws },
      [
        {
          $set: {
            clearing: { $cond: [isNoted, '$clearing', true] },
            reset_at: { $cond: [isNoted, '$reset_at', endedAt] },
            seq: { $ifNull: ['$seq', 0] },
          },
        },
      ],
      { upsert: true },
    );
    await this.rows.deleteMany(removedBy(ws, endedAt));
    await this.heads.deleteMany({ ws, type: { $in: [...OF_SANDBOX] }, at: { $lte: endedAt } });
  }

  /**
   * Removes the rest of the events of a sandbox that was reset; keys and their limits stay, and so do their events, and
   * whatever happened after `endedAt`. Places continue after the last one, so that no cursor ever means another event;
   * what happened until `endedAt` is not added any more, however late it comes.
   */
  async empty(tx: Tx, ws: string, endedAt: Date): Promise<void> {
    await this.rows.deleteMany(removedBy(ws, endedAt), tx.options());
    const later = await this.rows.find({ ws, 'aggregate.type': { $in: [...OF_SANDBOX] } }, tx.options()).toArray();
    const kept = later.map(({ aggregate }) => headId(ws, aggregate));
    await this.heads.deleteMany({ ws, type: { $in: [...OF_SANDBOX] }, _id: { $nin: kept } }, tx.options());
    await this.counters.updateOne(
      { _id: ws },
      { $set: { reset_at: endedAt }, $unset: { clearing: true }, $setOnInsert: { seq: 0 } },
      { ...tx.options(), upsert: true },
    );
  }
}

const headId = (ws: string, { type, id }: FeedEvent['aggregate']): string => `${ws}|${type}|${id}`;

/** The id of an event: the same for the same version of the same aggregate, however often it is delivered. */
export const feedId = ({ ws, aggregate, version }: Pick<FeedEvent, 'ws' | 'aggregate' | 'version'>): string =>
  namedUuid('feed', ws, aggregate.type, aggregate.id, String(version));

export const presentFeedEvent = ({ id, at, kind, aggregate, version, data }: FeedEvent): FeedEventResource => ({
  id,
  at: at.toISOString(),
  kind,
  aggregate: { type: aggregate.type, id: aggregate.id },
  version,
  data,
});
