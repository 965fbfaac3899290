import { type Collection, isDuplicate, type Store, type Tx } from '@cds/service';
import type { mongo } from 'mongoose';
import type { Meter, MeterRefusal, MeterWant } from '../domain/meter/meter.js';
import { sendingAskOf } from './meter-pipeline.js';
import { binaryId, meterStatement } from './meter-statement.js';

/** The meter's decision: the creators a read may show, in list order, or the limit that refused it. */
export type Booking = { granted: string[]; refused: MeterRefusal | null; at: Date };

/** A stored meter: creator ids in 16 bytes each, everything else as in the domain. */
type MeterDoc = Pick<Meter, 'at' | 'ws' | 'asks'> & {
  _id: string;
  last: { granted: mongo.UUID[]; refused: MeterRefusal | null };
};

/** The creator-read meters: one document per workspace, and one statement per read (docs/reliability.md#read-meter). */
export class Meters {
  private readonly rows: Collection<MeterDoc>;

  constructor(store: Store) {
    this.rows = store.collection<MeterDoc>({ name: 'meters' });
  }

  /** Decides and books a read in one statement, with majority, on the database's clock. */
  async book(workspace: string, want: MeterWant, maxTimeMs: number): Promise<Booking> {
    const { update, let: values } = meterStatement(want);
    const statement = () =>
      this.rows.findOneAndUpdate({ _id: workspace }, update, {
        let: values,
        upsert: true,
        returnDocument: 'after',
        projection: { last: 1, at: 1 },
        maxTimeMS: maxTimeMs,
      });
    // Two concurrent first reads may both try to insert; the second one then finds the document.
    const meter = await statement().catch((error: unknown) => {
      if (!isDuplicate(error)) throw error;
      return statement();
    });
    if (meter === null) throw new Error('the upsert returned no meter');
    const { granted, refused } = meter.last;
    const all = granted.length === want.creators.length;
    return { granted: all ? [...want.creators] : granted.map((id) => id.toString()), refused, at: meter.at };
  }

  /** Whether a price ask of the asker is being sent right now, and may still be given back. */
  async isSendingAsk(workspace: string, asker: string | null): Promise<boolean> {
    const sending = { _id: workspace, ...sendingAskOf(asker) };
    return (await this.rows.findOne(sending, { projection: { _id: 1 } })) !== null;
  }

  /** Confirms a delivered price ask, in the transaction that stores the ask. */
  async confirmAsk(tx: Tx, workspace: string, askId: string): Promise<boolean> {
    const done = await this.rows.updateOne(
      { _id: workspace, 'asks.id': askId },
      { $set: { 'asks.$.until': null } },
      tx.options(),
    );
    return done.matchedCount === 1;
  }

  /** Gives back an undelivered price ask and the opens it booked; its view stays booked. */
  async releaseAsk(workspace: string, { askId, creator }: { askId: string; creator: string }): Promise<void> {
    const own = {
      $first: { $filter: { input: '$asks', as: 'ask', cond: { $eq: ['$$ask.id', { $literal: askId }] } } },
    };
    const without = (opened: string) => ({
      $filter: { input: opened, as: 'id', cond: { $ne: ['$$id', { $literal: binaryId(creator) }] } },
    });
    const gaveBack = (of: string, who: 'key' | 'ws') => ({
      $cond: [
        { $in: [who, '$held.opened'] },
        {
          $mergeObjects: [
            of,
            {
              opened: without(`${of}.opened`),
              opens: { $filter: { input: `${of}.opens`, as: 'open', cond: { $ne: ['$$open', '$held.at'] } } },
            },
          ],
        },
        of,
      ],
    });
    await this.rows.updateOne({ _id: workspace, 'asks.id': askId }, [
      { $set: { held: own } },
      {
        $set: {
          asks: { $filter: { input: '$asks', as: 'ask', cond: { $ne: ['$$ask.id', { $literal: askId }] } } },
          ws: gaveBack('$ws', 'ws'),
          keys: {
            $map: {
              input: '$keys',
              as: 'key',
              in: { $cond: [{ $eq: ['$$key.id', '$held.key'] }, gaveBack('$$key', 'key'), '$$key'] },
            },
          },
        },
      },
      { $unset: 'held' },
    ]);
  }
}
