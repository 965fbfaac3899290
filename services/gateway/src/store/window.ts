/** The minute of the database's clock; windows only ever move forward, since `$$NOW` is old after a wait for a lock. */
const MINUTE = { $dateTrunc: { date: '$$NOW', unit: 'minute' } };
const EPOCH = new Date(0);

/**
 * The fields of a fixed window of one minute in a pipeline update (reliability 3.3): `win` is the later of its own and
 * the database's minute, `n` counts to one above the limit and starts again with each new minute, `seen_at` is the
 * database time of the statement. A request is served while `n` is not above the limit.
 */
export const windowFields = (limit: number) => ({
  win: { $max: ['$win', MINUTE] },
  n: {
    $cond: [
      { $gt: [MINUTE, { $ifNull: ['$win', EPOCH] }] },
      1,
      { $min: [{ $add: [{ $ifNull: ['$n', 0] }, 1] }, limit + 1] },
    ],
  },
  seen_at: { $max: ['$seen_at', '$$NOW'] },
});

/** The count of the database's minute before a statement adds to it. */
const COUNTED = {
  $cond: [{ $gt: [MINUTE, { $ifNull: ['$win', EPOCH] }] }, 0, { $ifNull: ['$n', 0] }],
};

/** How many batches a document remembers, so that each request of one finds the count before it. */
const BATCHES_KEPT = 4;

/** What a batch left in `recent`: the count before it, in which minute, at which database time. */
export type Batch = { batch: string; before: number; win: Date; at: Date };

/** `windowFields` for several requests at once, which leaves the count before them under the batch's id. */
export const gatheredFields = (limit: number, batch: string, wants: number) => ({
  win: { $max: ['$win', MINUTE] },
  n: { $min: [{ $add: [COUNTED, wants] }, limit + 1] },
  seen_at: { $max: ['$seen_at', '$$NOW'] },
  recent: {
    $slice: [
      {
        $concatArrays: [
          { $ifNull: ['$recent', []] },
          [
            {
              batch: { $literal: batch },
              before: COUNTED,
              win: { $max: ['$win', MINUTE] },
              at: { $max: ['$seen_at', '$$NOW'] },
            },
          ],
        ],
      },
      -BATCHES_KEPT,
    ],
  },
});

/** The fields of a window as a statement leaves them. */
export type WindowFields = { win: Date; n: number; seen_at: Date };
