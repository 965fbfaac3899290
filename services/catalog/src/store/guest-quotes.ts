import { GUEST_QUOTES } from '@cds/contracts';
import { type Collection, isDuplicate, type Store } from '@cds/service';
import type { mongo } from 'mongoose';
import { DAY_MS } from '../domain/constants.js';

const WINDOW_MS = GUEST_QUOTES.windowDays * DAY_MS;

/** The quotes of one client address in the window, oldest first. `drop_at` is when the newest of them leaves it. */
type GuestQuoteRow = {
  _id: string;
  at: { at: Date; attempt: string }[];
  granted: boolean;
  seen_at: Date;
  drop_at: Date;
};

export type QuoteBooking = { granted: true; left: number } | { granted: false; resetsAt: Date; seenAt: Date };

const inWindow = (now: string) => ({
  $filter: {
    input: { $ifNull: ['$at', []] },
    as: 'quote',
    cond: { $gt: ['$$quote.at', { $subtract: [now, WINDOW_MS] }] },
  },
});

/** One update on the database's clock, which only moves a row forward; a repeat of a granted attempt books nothing. */
const booking = (attempt: string): mongo.Document[] => {
  const repeated = { $in: [{ $literal: attempt }, '$at.attempt'] };
  const fits = { $lt: [{ $size: '$at' }, GUEST_QUOTES.limit] };
  const quote = [{ at: '$seen_at', attempt: { $literal: attempt } }];
  return [
    { $set: { seen_at: { $max: ['$seen_at', '$$NOW'] } } },
    { $set: { at: inWindow('$seen_at') } },
    { $set: { granted: { $or: [repeated, fits] }, repeated } },
    {
      $set: {
        at: { $cond: [{ $and: ['$granted', { $not: '$repeated' }] }, { $concatArrays: ['$at', quote] }, '$at'] },
      },
    },
    { $set: { drop_at: { $add: [{ $last: '$at.at' }, WINDOW_MS] } } },
    { $unset: 'repeated' },
  ];
};

/** One document per client address, known here by a keyed hash only, and one statement per quote. */
export class GuestQuotes {
  private readonly rows: Collection<GuestQuoteRow>;

  constructor(store: Store) {
    this.rows = store.collection<GuestQuoteRow>({
      name: 'guest_quotes',
      indexes: [{ key: { drop_at: 1 }, expireAfterSeconds: 0 }],
    });
  }

  async book(address: string, attempt: string): Promise<QuoteBooking> {
    const statement = () =>
      this.rows.findOneAndUpdate({ _id: address }, booking(attempt), { upsert: true, returnDocument: 'after' });
    const row = await statement().catch((error: unknown) => {
      if (!isDuplicate(error)) throw error;
      return statement(); // Two first quotes raced; the row exists now.
    });
    const [oldest] = row?.at ?? [];
    if (row === null || oldest === undefined) throw new Error('an upsert returned no quotes');
    return row.granted
      ? { granted: true, left: GUEST_QUOTES.limit - row.at.length }
      : { granted: false, resetsAt: new Date(oldest.at.getTime() + WINDOW_MS), seenAt: row.seen_at };
  }

  async left(address: string): Promise<{ left: number; resetsAt: Date | null }> {
    const [row] = await this.rows
      .aggregate<Pick<GuestQuoteRow, 'at'>>([{ $match: { _id: address } }, { $project: { at: inWindow('$$NOW') } }])
      .toArray();
    const used = row?.at ?? [];
    const [oldest] = used;
    return {
      left: Math.max(0, GUEST_QUOTES.limit - used.length),
      resetsAt: oldest === undefined ? null : new Date(oldest.at.getTime() + WINDOW_MS),
    };
  }
}
