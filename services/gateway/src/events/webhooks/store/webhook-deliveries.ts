import type { AttemptProblem, DeliveryState, FeedKind, TEST_KIND } from '@cds/contracts';
import { after, type Collection, inOrder, type Place, type Store, type Tx } from '@cds/service';

export type AttemptRow = { at: Date; status: number | null; problem: AttemptProblem | null; duration_ms: number };

/** A message to an endpoint (docs/domain/events.md#webhooks). `_id` is its header webhook-id. */
export type DeliveryRow = {
  _id: string;
  ws: string;
  endpoint_id: string;
  event_id: string | null;
  /** The events of one aggregate to one endpoint, which go one after the other in the order of `seq`. */
  lane: string;
  seq: number;
  kind: FeedKind | typeof TEST_KIND;
  body: string;
  state: DeliveryState;
  attempts: AttemptRow[];
  created_at: Date;
  drop_at: Date;
};

export type NewDelivery = Omit<DeliveryRow, 'state' | 'attempts' | 'created_at' | 'drop_at'>;

/** How long a delivery is kept, as long as the events of the feed. */
const KEPT_MS = 35 * 86_400_000;

/** How many bytes of deliveries that ended are kept of an endpoint (docs/domain/events.md#webhooks). */
const ENDED_BYTES = 500_000;

const BYTES = { $bsonSize: '$$ROOT' };

const ATTEMPTS_KEPT = 20;

export class WebhookDeliveries {
  private readonly rows: Collection<DeliveryRow>;

  constructor(store: Store) {
    this.rows = store.collection<DeliveryRow>({
      name: 'webhook_deliveries',
      indexes: [
        { key: { ws: 1, endpoint_id: 1, created_at: -1, _id: -1 } },
        { key: { ws: 1, endpoint_id: 1, state: 1, lane: 1, seq: 1 } },
        { key: { drop_at: 1 }, expireAfterSeconds: 0 },
      ],
    });
  }

  /** Adds deliveries in a transaction; one that ended waits again, with its former attempts. */
  async add(tx: Tx, deliveries: readonly NewDelivery[]): Promise<void> {
    if (deliveries.length === 0) return;
    await this.rows.bulkWrite(
      deliveries.map(({ _id, body, ...row }, at) => ({
        updateOne: {
          filter: { _id },
          update: [
            {
              $set: {
                ...row,
                body: { $literal: body },
                state: 'waiting',
                attempts: { $ifNull: ['$attempts', []] },
                // A millisecond apart, so that they are listed in their order.
                created_at: { $ifNull: ['$created_at', { $add: ['$$NOW', at] }] },
                drop_at: { $add: ['$$NOW', KEPT_MS] },
              },
            },
          ],
          upsert: true,
        },
      })),
      tx.options(),
    );
  }

  async byId(ws: string, id: string): Promise<DeliveryRow | null> {
    return this.rows.findOne({ _id: id, ws });
  }

  /** The next delivery of a lane, in a transaction or by itself; null when none waits. */
  async next({ ws, endpoint_id, _id }: { ws: string; endpoint_id: string; _id: string }, tx?: Tx) {
    const waiting = { ws, endpoint_id, state: 'waiting' as const, lane: _id };
    return this.rows.findOne(waiting, { sort: { seq: 1 }, ...tx?.options() });
  }

  /** Notes an attempt in a transaction, and the state that it leaves. A success stays, whoever failed later. */
  async attempted(tx: Tx, { _id, ws }: DeliveryRow, attempt: AttemptRow, state: DeliveryState): Promise<void> {
    await this.rows.updateOne(
      { _id, ws, ...(state === 'delivered' ? {} : { state: 'waiting' }) },
      { $push: { attempts: { $each: [attempt], $slice: -ATTEMPTS_KEPT } }, $set: { state } },
      tx.options(),
    );
  }

  async waiting(ws: string, endpoints: readonly string[]): Promise<Map<string, number>> {
    const waiting = await this.waitingOf(ws, endpoints);
    return new Map([...waiting].map(([id, { n }]) => [id, n]));
  }

  async waitingOf(ws: string, endpoints: readonly string[]): Promise<Map<string, { n: number; bytes: number }>> {
    const counted = await this.rows
      .aggregate<{ _id: string; n: number; bytes: number }>([
        { $match: { ws, endpoint_id: { $in: [...endpoints] }, state: 'waiting' } },
        { $group: { _id: '$endpoint_id', n: { $sum: 1 }, bytes: { $sum: BYTES } } },
      ])
      .toArray();
    return new Map(counted.map(({ _id, n, bytes }) => [_id, { n, bytes }]));
  }

  /** Removes the oldest deliveries of an endpoint that ended, as far as the newer ones take up their room. */
  async trim(ws: string, endpoint: string): Promise<void> {
    const ended = await this.rows
      .find<{ created_at: Date; bytes: number }>(
        { ws, endpoint_id: endpoint, state: { $ne: 'waiting' } },
        { projection: { created_at: 1, bytes: BYTES }, sort: { created_at: -1, _id: -1 } },
      )
      .toArray();
    let kept = 0;
    const first = ended.find(({ bytes }) => {
      kept += bytes;
      return kept > ENDED_BYTES;
    });
    if (first === undefined) return;
    await this.rows.deleteMany({
      ws,
      endpoint_id: endpoint,
      state: { $ne: 'waiting' },
      created_at: { $lte: first.created_at },
    });
  }

  async page(
    ws: string,
    endpoint: string,
    state: DeliveryState | null,
    place: Place | null,
    limit: number,
  ): Promise<DeliveryRow[]> {
    const filter = {
      ws,
      endpoint_id: endpoint,
      ...(state === null ? {} : { state }),
      ...after('created_at', place, 'newest first'),
    };
    return this.rows.find(filter as never, { sort: inOrder('created_at', 'newest first'), limit }).toArray();
  }

  async forget(ws: string, endpoint: string): Promise<void> {
    await this.rows.deleteMany({ ws, endpoint_id: endpoint });
  }

  /** Removes most of what a reset removes, outside a transaction, so that `empty` has few left to remove. */
  async clear(ws: string, lanes: RegExp, endedAt: Date): Promise<void> {
    await this.rows.deleteMany({ ...removedOf(ws, lanes), created_at: { $lte: endedAt } });
  }

  /** Removes the rest of the deliveries that a reset of a sandbox removes. */
  async empty(tx: Tx, ws: string, lanes: RegExp): Promise<void> {
    await this.rows.deleteMany(removedOf(ws, lanes), tx.options());
  }
}

/** All deliveries that ended, and those in lanes whose events are gone; what waits in others is still sent. */
const removedOf = (ws: string, lanes: RegExp) => ({
  ws,
  $or: [{ state: { $ne: 'waiting' as const } }, { lane: lanes }],
});
