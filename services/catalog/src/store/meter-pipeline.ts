import type { mongo } from 'mongoose';
import { ASKS, DAY_MS, METER } from '../domain/constants.js';
import type { MeterWant } from '../domain/meter/meter.js';
import { type Expr, either, firstOf, keep, len, lit, or, when } from './expressions.js';
import {
  AT,
  ago,
  askedBy,
  askRefusal,
  booked,
  DAY,
  later,
  MIDNIGHT,
  NEW_DAY,
  NO_COUNTERS,
  openedMore,
  outlivesMidnight,
  refusal,
  refusalOf,
  slidingWindow,
} from './meter-rules.js';

/** Matches meters with a price ask of this asker that is being sent right now. */
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

/** The kind of read that a pipeline serves; its values come from `MeterInputs`. */
export type MeterShape = {
  kind: MeterWant['kind'];
  /** False for the app, which books views only. */
  keyed: boolean;
  /** Whether it shows any creator. */
  shows: boolean;
  /** Whether an ask is to be sent. */
  asks: boolean;
};

/** The values of one read, as expressions. */
export type MeterInputs = { now: Expr; attemptId: Expr; key: Expr; creators: Expr; askId: Expr; asker: Expr };

export const meterShape = ({ kind, key, creators, askId }: MeterWant): MeterShape => ({
  kind,
  keyed: key !== null,
  shows: creators.length > 0,
  asks: askId !== null,
});

type Stage = mongo.Document;

/** The stored meter, with defaults for what a new one lacks and without asks that no longer count. */
const current = (now: Expr): Stage[] => [
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
];

/** The key's own counters, the other keys, an earlier run of the same attempt, and the creators not seen today. */
const lookedUp = ({ keyed }: MeterShape, { attemptId, key, creators }: MeterInputs): Stage => ({
  $set: {
    't.before': { $first: keep('$recent', (one) => ({ $eq: [`${one}.attempt_id`, attemptId] })) },
    't.fresh': keep(creators, (id) => ({ $not: [{ $in: [id, '$seen'] }] })),
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
});

/** Counters moved on to now, and the creators that the day's views still allow. */
const granted = ({ keyed }: MeterShape, { creators }: MeterInputs): Stage[] => [
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
        creators,
        keep(creators, (id) => ({ $or: [{ $in: [id, '$seen'] }, { $in: [id, '$t.added'] }] })),
      ),
    },
  },
];

/** The first limit that refuses the read, or the earlier answer of a repeated attempt. */
const refused = ({ kind, keyed, shows, asks }: MeterShape, { creators, asker }: MeterInputs): Stage => ({
  $set: {
    't.refused': either(
      '$t.before.outcome',
      ...(keyed
        ? [
            when(
              '$t.repeated',
              null,
              either(refusalOf('$t.key', 'key', kind, creators), refusalOf('$ws', 'api', kind, creators)),
            ),
          ]
        : []),
      ...(shows
        ? [firstOf([{ $eq: [len('$t.granted'), 0] }, refusal('daily_seen', 'workspace', METER.viewsPerDay, MIDNIGHT)])]
        : []),
      ...(asks ? [when('$t.repeated', null, askRefusal({ $first: creators }, asker))] : []),
      null,
    ),
  },
});

const counted = ({ kind, keyed }: MeterShape, { creators }: MeterInputs): Stage[] => [
  {
    $set: {
      't.passes': { $eq: ['$t.refused', null] },
      't.books': keyed ? { $and: [{ $eq: ['$t.refused', null] }, { $not: ['$t.repeated'] }] } : lit(false),
    },
  },
  {
    $set: {
      't.next_key': keyed ? when('$t.books', booked('$t.key', kind, creators), '$t.key') : lit(null),
      't.next_ws': when('$t.books', booked('$ws', kind, creators), '$ws'),
    },
  },
];

/** The asks with the new one, which records the opens it booked so that they can be given back. */
const asksWithNew = (keyed: boolean, { key, creators, askId, asker }: MeterInputs): Expr =>
  when(
    { $and: ['$t.passes', { $not: ['$t.repeated'] }] },
    {
      $concatArrays: [
        '$asks',
        [
          {
            id: askId,
            creator: { $first: creators },
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
  );

const stored = ({ keyed, asks }: MeterShape, inputs: MeterInputs): Stage[] => [
  {
    $set: {
      seen: when('$t.passes', { $concatArrays: ['$seen', '$t.added'] }, '$seen'),
      ws: '$t.next_ws',
      ...(keyed && { keys: { $concatArrays: ['$keys', [{ $mergeObjects: [{ id: inputs.key }, '$t.next_key'] }]] } }),
      ...(asks && { asks: asksWithNew(keyed, inputs) }),
      recent: {
        $slice: [
          {
            $concatArrays: [
              keep('$recent', (one) => ({ $ne: [`${one}.attempt_id`, inputs.attemptId] })),
              [{ attempt_id: inputs.attemptId, outcome: '$t.refused' }],
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

/** Decides and books one read. All reads of one shape share a pipeline. Source: docs/reliability.md#read-meter. */
export const meterPipeline = (shape: MeterShape, inputs: MeterInputs): mongo.Document[] => [
  ...current(inputs.now),
  lookedUp(shape, inputs),
  ...granted(shape, inputs),
  refused(shape, inputs),
  ...counted(shape, inputs),
  ...stored(shape, inputs),
];
