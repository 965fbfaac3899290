import type { Collection, Store, Tx } from '@cds/service';
import { dayOf } from '@cds/service/calendar';
import type { LogRow } from './request-log.js';

/** What one key did on one UTC day; kept for good. `_id` is key and day. */
type UsageRow = { _id: string; ws: string; key_id: string; day: string; ok: number; errors: number; last_at: Date };

type Counted = { ok: number; errors: number };

/** The answered requests of keys by day, counted from the rows of the request log (I52). */
export class Usage {
  private readonly rows: Collection<UsageRow>;

  constructor(store: Store) {
    this.rows = store.collection<UsageRow>({
      name: 'usage_days',
      indexes: [{ key: { ws: 1, day: 1 } }, { key: { ws: 1, key_id: 1, day: -1 } }],
    });
  }

  /** Counts rows with the transaction that stores them; returns how many of its key's day came before each. */
  async count(tx: Tx, rows: readonly LogRow[]): Promise<number[]> {
    const days = rows.map(dayIdOf);
    const found = await this.rows.find({ _id: { $in: [...new Set(days)] } }, tx.options()).toArray();
    const counted = new Map(found.map(({ _id, ok, errors }) => [_id, ok + errors]));
    const before = days.map((day) => {
      const place = counted.get(day) ?? 0;
      counted.set(day, place + 1);
      return place;
    });
    const statements = [...daysOf(rows)].map(([_id, { ws, key_id, day, ok, errors, last_at }]) => ({
      updateOne: {
        filter: { _id },
        update: { $inc: { ok, errors }, $max: { last_at }, $setOnInsert: { ws, key_id, day } },
        upsert: true,
      },
    }));
    await this.rows.bulkWrite(statements, tx.options());
    return before;
  }

  async byDay(ws: string, keyId: string | null, from: string): Promise<Map<string, Counted>> {
    const found = await this.rows
      .aggregate<{ _id: string } & Counted>([
        { $match: { ws, day: { $gte: from }, ...(keyId === null ? {} : { key_id: keyId }) } },
        { $group: { _id: '$day', ok: { $sum: '$ok' }, errors: { $sum: '$errors' } } },
      ])
      .toArray();
    return new Map(found.map(({ _id, ok, errors }) => [_id, { ok, errors }]));
  }

  /** When keys of a workspace were last used; a key that never was is left out. */
  async lastUsed(ws: string, keyIds: readonly string[]): Promise<Map<string, Date>> {
    const found = await this.rows
      .aggregate<{ _id: string; last_at: Date }>([
        { $match: { ws, key_id: { $in: [...keyIds] } } },
        { $sort: { ws: 1, key_id: 1, day: -1 } },
        { $group: { _id: '$key_id', last_at: { $first: '$last_at' } } },
      ])
      .toArray();
    return new Map(found.map(({ _id, last_at }) => [_id, last_at]));
  }
}

const dayIdOf = ({ key_id, at }: Pick<LogRow, 'key_id' | 'at'>): string => `${key_id}|${dayOf(at)}`;

/**
 * The rows summed by key and day, in the order of their ids. Nobody waits in a transaction: of two gateways that count
 * on the same row at once, the server aborts one, and its transaction begins again.
 */
const daysOf = (rows: readonly LogRow[]): Map<string, Omit<UsageRow, '_id'>> => {
  const sums = new Map<string, Omit<UsageRow, '_id'>>();
  for (const { ws, key_id, at, status } of rows) {
    const day = dayOf(at);
    const id = dayIdOf({ key_id, at });
    const sum = sums.get(id) ?? { ws, key_id, day, ok: 0, errors: 0, last_at: at };
    sums.set(id, {
      ...sum,
      ok: sum.ok + (status < 400 ? 1 : 0),
      errors: sum.errors + (status < 400 ? 0 : 1),
      last_at: at > sum.last_at ? at : sum.last_at,
    });
  }
  return new Map([...sums].sort(([one], [other]) => (one < other ? -1 : 1)));
};
