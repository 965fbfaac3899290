/** The rules of a meter as aggregation expressions; `domain/meter/meter.ts` is their reference implementation. */
import { ASKS, DAY_MS, METER } from '../domain/constants.js';
import type { MeterWant } from '../domain/meter/meter.js';
import { type Expr, firstOf, keep, len, lit, when } from './expressions.js';

const EPOCH = new Date(0);
const MINUTE_MS = 60_000;

export const AT = '$at';
export const ago = (ms: number): Expr => ({ $subtract: [AT, ms] });
export const later = (of: Expr, ms: number): Expr => ({ $add: [of, ms] });
export const DAY: Expr = { $dateToString: { date: AT, format: '%Y-%m-%d' } };
export const MINUTE: Expr = { $dateTrunc: { date: AT, unit: 'minute' } };
export const MIDNIGHT: Expr = later({ $dateTrunc: { date: AT, unit: 'day' } }, DAY_MS);
/** Only true before the stage that sets `day`. */
export const NEW_DAY: Expr = { $ne: ['$day', DAY] };

export const refusal = (reason: string, scope: string | null, limit: number, resetsAt: Expr): Expr => ({
  reason: lit(reason),
  scope: lit(scope),
  limit: lit(limit),
  resets_at: resetsAt,
});

export const NO_COUNTERS = { min: { win: EPOCH, n: 0 }, lists: 0, opened: [], opens: [], paused_until: null };

export const slidingWindow = (of: string): Expr => ({
  min: when({ $lt: [`${of}.min.win`, MINUTE] }, { win: MINUTE, n: lit(0) }, `${of}.min`),
  lists: when('$t.new_day', lit(0), `${of}.lists`),
  opened: when('$t.new_day', lit([]), `${of}.opened`),
  opens: keep(`${of}.opens`, (open) => ({ $gt: [open, ago(METER.pauseMs)] })),
  paused_until: `${of}.paused_until`,
});

export const outlivesMidnight = (key: string): Expr => ({
  $or: [
    { $gt: [`${key}.min.win`, ago(METER.pauseMs)] },
    { $gt: [{ $ifNull: [{ $max: `${key}.opens` }, lit(EPOCH)] }, ago(METER.pauseMs)] },
    { $gt: [{ $ifNull: [`${key}.paused_until`, lit(EPOCH)] }, AT] },
  ],
});

export const refusalOf = (of: string, scope: 'key' | 'api', kind: MeterWant['kind'], wanted: Expr): Expr =>
  firstOf(
    ...(kind === 'ask'
      ? []
      : ([
          [
            { $gte: [`${of}.min.n`, METER.readsPerMinute] },
            refusal('per_minute', scope, METER.readsPerMinute, later(`${of}.min.win`, MINUTE_MS)),
          ],
        ] satisfies [Expr, Expr][])),
    [
      { $gt: [{ $ifNull: [`${of}.paused_until`, lit(EPOCH)] }, AT] },
      refusal('locked', scope, METER.opensInTenMinutes, `${of}.paused_until`),
    ],
    kind === 'list'
      ? [{ $gte: [`${of}.lists`, METER.listsPerDay] }, refusal('daily_lists', scope, METER.listsPerDay, MIDNIGHT)]
      : [
          {
            $and: [
              { $gte: [len(`${of}.opened`), METER.opensPerDay] },
              { $not: [{ $setIsSubset: [wanted, `${of}.opened`] }] },
            ],
          },
          refusal('daily_reveals', scope, METER.opensPerDay, MIDNIGHT),
        ],
  );

export const booked = (of: string, kind: MeterWant['kind'], wanted: Expr): Expr => {
  const min = kind === 'ask' ? `${of}.min` : { win: `${of}.min.win`, n: { $add: [`${of}.min.n`, 1] } };
  if (kind === 'list') return { $mergeObjects: [of, { min, lists: { $add: [`${of}.lists`, 1] } }] };

  const opens = { $slice: [{ $concatArrays: [`${of}.opens`, [AT]] }, -METER.opensInTenMinutes] };
  return {
    $let: {
      vars: { fresh: keep(wanted, (id) => ({ $not: [{ $in: [id, `${of}.opened`] }] })) },
      in: when(
        { $eq: [len('$$fresh'), 0] },
        { $mergeObjects: [of, { min }] },
        {
          $mergeObjects: [
            of,
            {
              min,
              opened: { $concatArrays: [`${of}.opened`, '$$fresh'] },
              opens,
              paused_until: when(
                { $gte: [len(opens), METER.opensInTenMinutes] },
                later(AT, METER.pauseMs),
                `${of}.paused_until`,
              ),
            },
          ],
        },
      ),
    },
  };
};

/** Whether an ask was made by this asker; without an asker it is the workspace's own. */
export const askedBy =
  (asker: Expr) =>
  (ask: string): Expr => ({ $eq: [{ $ifNull: [`${ask}.asker`, null] }, asker] });

export const askRefusal = (creator: Expr, asker: Expr): Expr => {
  const own = keep('$asks', askedBy(asker), 'ask');
  const ofCreator = keep(own, (ask) => ({ $eq: [`${ask}.creator`, creator] }), 'ask');
  const limited = (of: Expr, limit: number): [Expr, Expr] => [
    { $gte: [len(of), limit] },
    refusal('daily_limit', null, limit, later({ $getField: { field: 'at', input: { $first: of } } }, DAY_MS)),
  ];
  return firstOf(limited(ofCreator, ASKS.perCreator), limited(own, ASKS.perDay));
};

export const openedMore = (next: string, before: string): Expr => ({
  $gt: [len(`${next}.opened`), len(`${before}.opened`)],
});
