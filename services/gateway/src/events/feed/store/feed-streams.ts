import { randomUUID } from 'node:crypto';
import { LIMITS, type Principal } from '@cds/contracts';
import type { Collection, Store } from '@cds/service';

/** A caller's open streams in one workspace. A stream whose gateway died counts until it would have ended. */
type StreamsRow = { _id: string; ws: string; open: { id: string; until: Date }[]; drop_at: Date };

/** Whose streams are counted together: those of a person's session, or of a key, in one workspace. */
export type StreamCaller = { id: string; scope: 'key' | 'session'; ws: string };

export const streamCallerOf = ({ person, key, workspace: ws }: Principal): StreamCaller =>
  person === undefined ? { id: key, scope: 'key', ws } : { id: person.session ?? key, scope: 'session', ws };

/** A person's session may move to another workspace while streams of the previous one are open. */
const rowOf = ({ id, ws }: StreamCaller): string => `${ws} ${id}`;

const earliest = (dates: readonly Date[]): Date => new Date(Math.min(...dates.map((date) => date.getTime())));

const MOST = LIMITS.stream_limit.limit;

/** How many streams of events each caller has open, over all gateways (docs/domain/events.md#events). */
export class FeedStreams {
  private readonly rows: Collection<StreamsRow>;

  constructor(store: Store) {
    this.rows = store.collection<StreamsRow>({
      name: 'feed_streams',
      indexes: [{ key: { drop_at: 1 }, expireAfterSeconds: 0 }],
    });
  }

  /** Opens a stream in one statement; with too many, returns when the first of them ends at the latest. */
  async open(caller: StreamCaller, lastsMs: number): Promise<{ id: string } | { opensAt: Date }> {
    const id = randomUUID();
    const alive = {
      $filter: { input: { $ifNull: ['$open', []] }, as: 'one', cond: { $gt: ['$$one.until', '$$NOW'] } },
    };
    const until = { $add: ['$$NOW', lastsMs] };
    const row = await this.rows.findOneAndUpdate(
      { _id: rowOf(caller) },
      [
        { $set: { ws: { $literal: caller.ws }, open: alive } },
        {
          $set: {
            open: {
              $cond: [
                { $lt: [{ $size: '$open' }, MOST] },
                { $concatArrays: ['$open', [{ id: { $literal: id }, until }]] },
                '$open',
              ],
            },
            drop_at: { $max: ['$drop_at', until] },
          },
        },
      ],
      { upsert: true, returnDocument: 'after' },
    );
    const open = row?.open ?? [];
    return open.some((one) => one.id === id) ? { id } : { opensAt: earliest(open.map((one) => one.until)) };
  }

  async ends(caller: StreamCaller, now: Date): Promise<Date[]> {
    const row = await this.rows.findOne({ _id: rowOf(caller), ws: caller.ws });
    return (row?.open ?? [])
      .map(({ until }) => until)
      .filter((until) => until > now)
      .sort((a, b) => a.getTime() - b.getTime());
  }

  async close(caller: StreamCaller, id: string): Promise<void> {
    await this.rows.updateOne({ _id: rowOf(caller), ws: caller.ws }, { $pull: { open: { id } } });
  }
}
