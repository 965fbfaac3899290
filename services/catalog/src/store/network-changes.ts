import { randomUUID } from 'node:crypto';
import type { Collection, Store } from '@cds/service';
import type { mongo } from 'mongoose';
import { CONTEXTS } from './contexts.js';
import { CREATORS } from './creators.js';

/** A beat that a replica writes to see how far behind its change stream is: who wrote it, and its number. */
type BeatDoc = { _id: 'network'; by: string; n: number };

/**
 * What a change stream tells: a creator that changed, a workspace whose audience on file changed, or one of the own
 * beats; `token` is where to go on from.
 */
export type NetworkChange = { creator: string | null; audience: string | null; beat: number | null; token: unknown };

const BEATS = 'network_beats';

/** A change as the pipeline below projects it. */
type Changed = {
  _id: unknown;
  documentKey?: { _id: string };
  ns?: { coll: string };
  updateDescription?: { updatedFields?: Partial<BeatDoc> };
  fullDocument?: Partial<BeatDoc>;
};

/** An open change stream. */
export type NetworkStream = mongo.ChangeStream;

/** Where a stream goes on from: behind a change that was taken in, or at a time of the database. */
export type Position = { resumeAfter: unknown } | { startAtOperationTime: mongo.Timestamp };

/** The change stream over creators and audiences on file, and the beats that show its lag (reliability 3.12). */
export class NetworkChanges {
  private readonly beats: Collection<BeatDoc>;
  private readonly replica = randomUUID();
  /** The newest beat that the stream showed, whoever wrote it. */
  private newest: Partial<BeatDoc> = {};

  constructor(private readonly store: Store) {
    this.beats = store.collection<BeatDoc>({ name: BEATS });
  }

  /** Writes a beat; the stream shows it once everything before it was seen. */
  async beat(n: number): Promise<void> {
    await this.beats.updateOne(
      { _id: 'network' },
      { $set: { by: this.replica, n } },
      { upsert: true, maxTimeMS: 2_000 },
    );
  }

  /** The database's present, to begin a stream at. */
  async present(): Promise<Position> {
    const reply = (await this.store.db.command({ ping: 1 })) as { operationTime: mongo.Timestamp };
    return { startAtOperationTime: reply.operationTime };
  }

  /** Opens the stream from a position on. */
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
    return { changes, read: (change) => this.read(change as unknown as Changed) };
  }

  private read(change: Changed): NetworkChange {
    const token = change._id;
    const id = change.documentKey?._id ?? null;
    if (change.ns?.coll === CREATORS.name) return { creator: id, audience: null, beat: null, token };
    if (change.ns?.coll === CONTEXTS) return { creator: null, audience: id, beat: null, token };
    // An update names only the fields that differ: the same replica may have written again, or another the same number.
    this.newest = { ...this.newest, ...change.fullDocument, ...change.updateDescription?.updatedFields };
    const { by, n } = this.newest;
    return { creator: null, audience: null, beat: by === this.replica ? (n ?? null) : null, token };
  }
}
