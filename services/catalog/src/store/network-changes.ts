import { randomUUID } from 'node:crypto';
import type { Collection, Store } from '@cds/service';
import type { mongo } from 'mongoose';
import { CONTEXTS } from './contexts.js';
import { CREATORS } from './creators.js';

/** A heartbeat that measures the lag of a replica's change stream: who wrote it, and its number. */
type BeatDoc = { _id: 'network'; by: string; n: number };

/**
 * A change: a creator, a workspace whose audience on file changed, or one of the replica's own heartbeats. `token` is
 * the resume point.
 */
export type NetworkChange = { creator: string | null; audience: string | null; beat: number | null; token: unknown };

const BEATS = 'network_beats';

/** A change as projected by the pipeline below. */
type Changed = {
  _id: unknown;
  documentKey?: { _id: string };
  ns?: { coll: string };
  updateDescription?: { updatedFields?: Partial<BeatDoc> };
  fullDocument?: Partial<BeatDoc>;
};

/** An open change stream. */
export type NetworkStream = mongo.ChangeStream;

/** Where a stream continues: after an applied change, or at a time of the database. */
export type Position = { resumeAfter: unknown } | { startAtOperationTime: mongo.Timestamp };

/**
 * The change stream of creators and audiences on file, and the heartbeats that show its lag
 * (docs/reliability.md#catalog-memory).
 */
export class NetworkChanges {
  private readonly beats: Collection<BeatDoc>;
  private readonly replica = randomUUID();
  /** The newest heartbeat in the stream, whoever wrote it. */
  private newest: Partial<BeatDoc> = {};

  constructor(private readonly store: Store) {
    this.beats = store.collection<BeatDoc>({ name: BEATS });
  }

  /** Writes a heartbeat. The stream shows it after every earlier change. */
  async beat(n: number): Promise<void> {
    await this.beats.updateOne(
      { _id: 'network' },
      { $set: { by: this.replica, n } },
      { upsert: true, maxTimeMS: 2_000 },
    );
  }

  /** The database's current time, to start a stream at. */
  async present(): Promise<Position> {
    const reply = (await this.store.db.command({ ping: 1 })) as { operationTime: mongo.Timestamp };
    return { startAtOperationTime: reply.operationTime };
  }

  /** Opens the stream at a position. */
  watch(from: Position): { changes: mongo.ChangeStream; read: (change: mongo.ChangeStreamDocument) => NetworkChange } {
    const changes = this.store.db.watch(
      [
        { $match: { 'ns.coll': { $in: [CREATORS.name, CONTEXTS, BEATS] } } },
        {
          $project: {
            operationType: 1,
            documentKey: 1,
            'ns.coll': 1,
            'updateDescription.updatedFields.by': 1,
            'updateDescription.updatedFields.n': 1,
            'fullDocument.by': 1,
            'fullDocument.n': 1,
          },
        },
      ],
      from,
    );
    // The stream's type knows neither its projection nor which kinds of change its $match leaves.
    return { changes, read: (change) => this.read(change as unknown as Changed) };
  }

  private read(change: Changed): NetworkChange {
    const token = change._id;
    const id = change.documentKey?._id ?? null;
    if (change.ns?.coll === CREATORS.name) return { creator: id, audience: null, beat: null, token };
    if (change.ns?.coll === CONTEXTS) return { creator: null, audience: id, beat: null, token };
    // An update contains only changed fields, such as a new number by the same replica, so they are merged.
    this.newest = { ...this.newest, ...change.fullDocument, ...change.updateDescription?.updatedFields };
    const { by, n } = this.newest;
    return { creator: null, audience: null, beat: by === this.replica ? (n ?? null) : null, token };
  }
}
