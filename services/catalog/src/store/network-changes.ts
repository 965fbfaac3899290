import { randomUUID } from 'node:crypto';
import type { Collection, Store } from '@cds/service';
import type { mongo } from 'mongoose';
import { CONTEXTS } from './contexts.js';
import { CREATORS } from './creators.js';

type BeatDoc = { _id: 'network'; by: string; n: number };

/** `token` is the resume point. */
export type NetworkChange = { creator: string | null; audience: string | null; beat: number | null; token: unknown };

const BEATS = 'network_beats';

type Changed = {
  _id: unknown;
  documentKey?: { _id: string };
  ns?: { coll: string };
  updateDescription?: { updatedFields?: Partial<BeatDoc> };
  fullDocument?: Partial<BeatDoc>;
};

export type NetworkStream = mongo.ChangeStream;

export type Position = { resumeAfter: unknown } | { startAtOperationTime: mongo.Timestamp };

export class NetworkChanges {
  private readonly beats: Collection<BeatDoc>;
  private readonly replica = randomUUID();
  private newest: Partial<BeatDoc> = {};

  constructor(private readonly store: Store) {
    this.beats = store.collection<BeatDoc>({ name: BEATS });
  }

  async beat(n: number): Promise<void> {
    await this.beats.updateOne(
      { _id: 'network' },
      { $set: { by: this.replica, n } },
      { upsert: true, maxTimeMS: 2_000 },
    );
  }

  async present(): Promise<Position> {
    const reply = (await this.store.db.command({ ping: 1 })) as { operationTime: mongo.Timestamp };
    return { startAtOperationTime: reply.operationTime };
  }

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
    // An update contains only changed fields, such as a new number by the same replica, so they are merged.
    this.newest = { ...this.newest, ...change.fullDocument, ...change.updateDescription?.updatedFields };
    const { by, n } = this.newest;
    return { creator: null, audience: null, beat: by === this.replica ? (n ?? null) : null, token };
  }
}
