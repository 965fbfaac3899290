import { mongo } from 'mongoose';
import type { MeterWant } from '../domain/meter/meter.js';
import { lit } from './expressions.js';
import { type MeterShape, meterPipeline, meterShape } from './meter-pipeline.js';

/** A creator id as the meter stores it, in 16 bytes. */
export const binaryId = (id: string): mongo.UUID => new mongo.UUID(id);

/** A statement on one meter: the pipeline that all reads of its shape share, and the values of this read. */
export type MeterStatement = { update: mongo.Document[]; let: mongo.Document };

const VARIABLES = {
  attemptId: '$$attempt_id',
  key: '$$key',
  creators: '$$creators',
  askId: '$$ask_id',
  asker: '$$asker',
};
/** Built once per shape: each is a tree of hundreds of objects, too much garbage to make for every read. */
const pipelines = new Map<string, mongo.Document[]>();

const pipelineOf = (shape: MeterShape, now: '$$NOW' | '$$now'): mongo.Document[] => {
  const name = `${shape.kind} ${shape.keyed} ${shape.shows} ${shape.asks} ${now}`;
  const made = pipelines.get(name) ?? meterPipeline(shape, { now, ...VARIABLES });
  pipelines.set(name, made);
  return made;
};

/**
 * The update of one workspace's meter as one statement, on the database's clock; tests may pass `now`. Its reference
 * implementation is `domain/meter/meter.ts`. Source: docs/reliability.md#read-meter.
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
