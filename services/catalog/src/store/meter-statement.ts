import { mongo } from 'mongoose';
import { ASKS, DAY_MS, METER } from '../domain/constants.js';
import type { MeterWant } from '../domain/meter/meter.js';

/** An aggregation expression. */
type Expr = unknown;

const EPOCH = new Date(0);
const MINUTE_MS = 60_000;

const lit = (value: unknown): Expr => ({ $literal: value });
const or = (field: string, value: unknown): Expr => ({ $ifNull: [field, lit(value)] });
const len = (array: Expr): Expr => ({ $size: array });
const keep = (input: Expr, cond: (one: string) => Expr, as = 'one'): Expr => ({
  $filter: { input, as, cond: cond(`$$${as}`) },
});
const when = (test: Expr, then: Expr, otherwise: Expr): Expr => ({ $cond: [test, then, otherwise] });
/** The first of these cases that holds, else null. */
const firstOf = (...cases: [Expr, Expr][]): Expr => ({
  $switch: { branches: cases.map(([test, then]) => ({ case: test, then })), default: null },
});
const either = (...values: Expr[]): Expr => values.reduceRight((rest, value) => ({ $ifNull: [value, rest] }));

const AT = '$at';
const ago = (ms: number): Expr => ({ $subtract: [AT, ms] });
const later = (of: Expr, ms: number): Expr => ({ $add: [of, ms] });
const DAY: Expr = { $dateToString: { date: AT, format: '%Y-%m-%d' } };
const MINUTE: Expr = { $dateTrunc: { date: AT, unit: 'minute' } };
const MIDNIGHT: Expr = later({ $dateTrunc: { date: AT, unit: 'day' } }, DAY_MS);
/** True until the stage that sets `day` has run. */
const NEW_DAY: Expr = { $ne: ['$day', DAY] };

const refusal = (reason: string, scope: string | null, limit: number, resetsAt: Expr): Expr => ({
  reason: lit(reason),
  scope: lit(scope),
  limit: lit(limit),
  resets_at: resetsAt,
});

const NO_COUNTERS = { min: { win: EPOCH, n: 0 }, lists: 0, opened: [], opens: [], paused_until: null };

const slidingWindow = (of: string): Expr => ({
  min: when({ $lt: [`${of}.min.win`, MINUTE] }, { win: MINUTE, n: lit(0) }, `${of}.min`),
  lists: when('$t.new_day', lit(0), `${of}.lists`),
  opened: when('$t.new_day', lit([]), `${of}.opened`),
  opens: keep(`${of}.opens`, (open) => ({ $gt: [open, ago(METER.pauseMs)] })),
  paused_until: `${of}.paused_until`,
});

const outlivesMidnight = (key: string): Expr => ({
  $or: [
    { $gt: [`${key}.min.win`, ago(METER.pauseMs)] },
    { $gt: [{ $ifNull: [{ $max: `${key}.opens` }, lit(EPOCH)] }, ago(METER.pauseMs)] },
    { $gt: [{ $ifNull: [`${key}.paused_until`, lit(EPOCH)] }, AT] },
  ],
});

const refusalOf = (of: string, scope: 'key' | 'api', kind: MeterWant['kind'], wanted: Expr): Expr =>
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

const booked = (of: string, kind: MeterWant['kind'], wanted: Expr): Expr => {
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

/** Whether an ask was made by this asker; one that names none was made by the workspace itself. */
const askedBy =
  (asker: Expr) =>
  (ask: string): Expr => ({ $eq: [{ $ifNull: [`${ask}.asker`, null] }, asker] });

const askRefusal = (creator: Expr, asker: Expr): Expr => {
  const own = keep('$asks', askedBy(asker), 'ask');
  const ofCreator = keep(own, (ask) => ({ $eq: [`${ask}.creator`, creator] }), 'ask');
  const limited = (of: Expr, limit: number): [Expr, Expr] => [
    { $gte: [len(of), limit] },
    refusal('daily_limit', null, limit, later({ $getField: { field: 'at', input: { $first: of } } }, DAY_MS)),
  ];
  return firstOf(limited(ofCreator, ASKS.perCreator), limited(own, ASKS.perDay));
};

const openedMore = (next: string, before: string): Expr => ({
  $gt: [len(`${next}.opened`), len(`${before}.opened`)],
});

/** Filters the meters in which an asker's price ask is being sent at this moment. */
export const sendingAskOf = (asker: string | null): mongo.Document => ({
  $expr: {
    $gt: [
      {
        $max: {
          $map: { input: keep(or('$asks', []), askedBy(lit(asker)), 'ask'), as: 'ask', in: '$$ask.until' },
        },
      },
      '$$NOW',
    ],
  },
});

/** Creator ids as the meter keeps them: 16 bytes each. */
export const binaryId = (id: string): mongo.UUID => new mongo.UUID(id);

/** Which kind of read a pipeline is made for; what it reads beside stands in its `MeterInputs`. */
export type MeterShape = {
  kind: MeterWant['kind'];
  /** False for the app, which books views only. */
  keyed: boolean;
  /** Whether it wants any creator. */
  shows: boolean;
  /** Whether an ask is to be sent. */
  asks: boolean;
};

/** The values of one read, as expressions: constants in a statement. */
export type MeterInputs = { now: Expr; attemptId: Expr; key: Expr; creators: Expr; askId: Expr; asker: Expr };

/** The shape of a read. */
export const meterShape = ({ kind, key, creators, askId }: MeterWant): MeterShape => ({
  kind,
  keyed: key !== null,
  shows: creators.length > 0,
  asks: askId !== null,
});

/** The pipeline behind a statement: all reads of one shape are decided and booked by the same one. Source: reliability 3.8. */
export const meterPipeline = (
  { kind, keyed, shows, asks }: MeterShape,
  { now, attemptId, key, creators: wanted, askId, asker }: MeterInputs,
): mongo.Document[] => {
  const creator = { $first: wanted };

  return [
    { $set: { at: { $max: [AT, now] } } },
    {
      $set: {
        day: DAY,
        t: { new_day: NEW_DAY },
        seen: when(NEW_DAY, lit([]), or('$seen', [])),
        ws: or('$ws', NO_COUNTERS),
        keys: or('$keys', []),
        asks: keep(or('$asks', []), (ask) => ({
          $and: [
            { $gt: [`${ask}.at`, ago(DAY_MS)] },
            { $or: [{ $eq: [`${ask}.until`, null] }, { $gt: [`${ask}.until`, AT] }] },
          ],
        })),
        recent: or('$recent', []),
      },
    },
    {
      $set: {
        't.before': { $first: keep('$recent', (one) => ({ $eq: [`${one}.attempt_id`, attemptId] })) },
        't.fresh': keep(wanted, (id) => ({ $not: [{ $in: [id, '$seen'] }] })),
        't.key': keyed
          ? either({ $first: keep('$keys', (one) => ({ $eq: [`${one}.id`, key] })) }, lit(NO_COUNTERS))
          : lit(null),
        keys: when(
          '$t.new_day',
          {
            $map: {
              input: keep('$keys', (one) => ({ $and: [{ $ne: [`${one}.id`, key] }, outlivesMidnight(one)] })),
              as: 'one',
              in: { $mergeObjects: ['$$one', { lists: lit(0), opened: lit([]) }] },
            },
          },
          keep('$keys', (one) => ({ $ne: [`${one}.id`, key] })),
        ),
      },
    },
    {
      $set: {
        ws: slidingWindow('$ws'),
        't.key': keyed ? slidingWindow('$t.key') : lit(null),
        't.repeated': { $eq: [{ $type: '$t.before' }, 'object'] },
        't.added': {
          $let: {
            vars: { room: { $subtract: [METER.viewsPerDay, len('$seen')] } },
            in: when({ $gt: ['$$room', 0] }, { $slice: ['$t.fresh', { $max: ['$$room', 1] }] }, lit([])),
          },
        },
      },
    },
    {
      $set: {
        't.granted': when(
          { $eq: [len('$t.added'), len('$t.fresh')] },
          wanted,
          keep(wanted, (id) => ({ $or: [{ $in: [id, '$seen'] }, { $in: [id, '$t.added'] }] })),
        ),
      },
    },
    {
      $set: {
        't.refused': either(
          '$t.before.outcome',
          ...(keyed
            ? [
                when(
                  '$t.repeated',
                  null,
                  either(refusalOf('$t.key', 'key', kind, wanted), refusalOf('$ws', 'api', kind, wanted)),
                ),
              ]
            : []),
          ...(shows
            ? [
                firstOf([
                  { $eq: [len('$t.granted'), 0] },
                  refusal('daily_seen', 'workspace', METER.viewsPerDay, MIDNIGHT),
                ]),
              ]
            : []),
          ...(asks ? [when('$t.repeated', null, askRefusal(creator, asker))] : []),
          null,
        ),
      },
    },
    {
      $set: {
        't.passes': { $eq: ['$t.refused', null] },
        't.books': keyed ? { $and: [{ $eq: ['$t.refused', null] }, { $not: ['$t.repeated'] }] } : lit(false),
      },
    },
    {
      $set: {
        't.next_key': keyed ? when('$t.books', booked('$t.key', kind, wanted), '$t.key') : lit(null),
        't.next_ws': when('$t.books', booked('$ws', kind, wanted), '$ws'),
      },
    },
    {
      $set: {
        seen: when('$t.passes', { $concatArrays: ['$seen', '$t.added'] }, '$seen'),
        ws: '$t.next_ws',
        ...(keyed && { keys: { $concatArrays: ['$keys', [{ $mergeObjects: [{ id: key }, '$t.next_key'] }]] } }),
        ...(asks && {
          asks: when(
            { $and: ['$t.passes', { $not: ['$t.repeated'] }] },
            {
              $concatArrays: [
                '$asks',
                [
                  {
                    id: askId,
                    creator,
                    asker,
                    at: AT,
                    until: later(AT, ASKS.holdMs),
                    key: keyed ? key : lit(''),
                    opened: {
                      $concatArrays: [
                        keyed ? when(openedMore('$t.next_key', '$t.key'), lit(['key']), lit([])) : lit([]),
                        when(openedMore('$t.next_ws', '$ws'), lit(['ws']), lit([])),
                      ],
                    },
                  },
                ],
              ],
            },
            '$asks',
          ),
        }),
        recent: {
          $slice: [
            {
              $concatArrays: [
                keep('$recent', (one) => ({ $ne: [`${one}.attempt_id`, attemptId] })),
                [{ attempt_id: attemptId, outcome: '$t.refused' }],
              ],
            },
            -METER.attemptsKept,
          ],
        },
        last: { granted: when('$t.passes', '$t.granted', lit([])), refused: '$t.refused' },
      },
    },
    { $unset: 't' },
  ];
};

/** A statement on one meter: a pipeline that all reads of its shape share, and the values of this read as its variables. */
export type MeterStatement = { update: mongo.Document[]; let: mongo.Document };

const VARIABLES = {
  attemptId: '$$attempt_id',
  key: '$$key',
  creators: '$$creators',
  askId: '$$ask_id',
  asker: '$$asker',
};
/** Made once each: a tree of hundreds of objects a read would fill the heap of a process that has many under way. */
const pipelines = new Map<string, mongo.Document[]>();

const pipelineOf = (shape: MeterShape, now: '$$NOW' | '$$now'): mongo.Document[] => {
  const name = `${shape.kind} ${shape.keyed} ${shape.shows} ${shape.asks} ${now}`;
  const made = pipelines.get(name) ?? meterPipeline(shape, { now, ...VARIABLES });
  pipelines.set(name, made);
  return made;
};

/**
 * The update of one workspace's meter as one statement, on the database's clock; `now` is another time in tests alone.
 * What it decides stands in `domain/meter.ts`, its twin. Source: reliability 3.8.
 */
export const meterStatement = (want: MeterWant, now: Date | null = null): MeterStatement => ({
  update: pipelineOf(meterShape(want), now === null ? '$$NOW' : '$$now'),
  let: {
    attempt_id: lit(want.attemptId),
    key: lit(want.key),
    creators: lit(want.creators.map(binaryId)),
    ask_id: lit(want.askId),
    asker: lit(want.asker),
    ...(now === null ? {} : { now }),
  },
});
