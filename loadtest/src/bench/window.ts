/** The database's current minute. `$$NOW` is old after a wait for a lock, so windows only move forward. */
const MINUTE = { $dateTrunc: { date: '$$NOW', unit: 'minute' } };
const EPOCH = new Date(0);

/**
 * A fixed window of one minute as a pipeline update (docs/reliability.md#authentication): `win` is its minute, `n`
 * counts up to one above the limit and restarts with each minute, `seen_at` is the database time. A request is served
 * unless `n` exceeds the limit.
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

/** The count in the current minute before a statement adds to it. */
const COUNTED = {
  $cond: [{ $gt: [MINUTE, { $ifNull: ['$win', EPOCH] }] }, 0, { $ifNull: ['$n', 0] }],
};

/** The number of batches that a document remembers, so that each request of a batch finds the count before it. */
const BATCHES_KEPT = 4;

/** A batch in `recent`: the count before it, its minute, and the database time. */
export type Batch = { batch: string; before: number; win: Date; at: Date };

/** `windowFields` for several requests at once; it stores the count before them under the batch's id. */
export const batchedFields = (limit: number, batch: string, wants: number) => ({
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

export type WindowFields = { win: Date; n: number; seen_at: Date };
