import { Deadline, type Emitted, inTx, LostRace, outboxRows, type Store, type Tx } from '@cds/service';
import type { Taken } from '../domain/import/import-creator.js';
import { pricesChanged } from '../present/price-changed.js';
import { nextState } from '../store/network-state.js';
import { type BothDatabases, bothDatabases } from './both-databases.js';

const BATCH_MS = 15_000;

export type Retaken = Taken & { heldVersion: number; renamed: boolean };

/** One transaction over both databases, by the only user that may write both (docs/reliability.md#handles). */
export class ImportTransaction {
  private readonly rows: BothDatabases;

  constructor(
    private readonly identity: Store,
    catalogDb: string,
  ) {
    this.rows = bothDatabases(identity, catalogDb);
  }

  /** Raises LostRace when a creator changed since it was read, or the list of launches is not at `launchesRev`. */
  async write(batch: {
    added: readonly Taken[];
    changed: readonly Retaken[];
    launchesRev: number;
    at: Date;
  }): Promise<void> {
    await inTx(this.identity, Deadline.in(BATCH_MS), async (tx) => {
      const { version: network_version, launchesRev } = await nextState(this.rows.state, tx);
      if (launchesRev !== batch.launchesRev) throw new LostRace('launches');
      const prices = [...batch.added, ...batch.changed].flatMap((one) => one.prices);

      // Known creators first: a handle that one gives up may go to another in this batch.
      if (batch.changed.length > 0) {
        const done = await this.rows.creators.bulkWrite(
          batch.changed.map(({ creator: { _id, ...facts }, heldVersion }) => ({
            replaceOne: { filter: { _id, network_version: heldVersion }, replacement: { ...facts, network_version } },
          })),
          tx.options(),
        );
        if (done.matchedCount !== batch.changed.length) throw new LostRace('creator');
        await this.freeHandles(tx, batch.changed);
        await this.rows.identities.bulkWrite(
          batch.changed.map(({ identity: { _id, ...facts } }) => ({
            replaceOne: { filter: { _id }, replacement: { ...facts, network_version }, upsert: true },
          })),
          tx.options(),
        );
      }
      if (batch.added.length > 0) {
        const added = batch.added.map(({ creator }) => ({ ...creator, network_version }));
        await this.rows.creators.insertMany(added, tx.options());
        await this.rows.identities.insertMany(
          batch.added.map(({ identity }) => ({ ...identity, network_version })),
          tx.options(),
        );
      }
      await this.keepEvidence(tx, [...batch.added, ...batch.changed]);
      if (prices.length > 0) await this.rows.prices.insertMany(prices, tx.options());
      const events = [
        ...[...batch.added, ...batch.changed].flatMap(({ tasks }) =>
          tasks.map((payload): Emitted => ({ name: 'catalog_task.opened', payload })),
        ),
        // A new creator's units are on no plan yet.
        ...batch.changed.flatMap(({ creator, prices: rows }) =>
          pricesChanged(
            creator._id,
            rows.map((row) => row.unit_id),
            batch.at,
          ),
        ),
      ];
      if (events.length > 0) await this.rows.outbox.insertMany(outboxRows(events, batch.at), tx.options());
    });
  }

  /** Creators who swap handles would meet at the unique index: inside the transaction nobody has one for a moment. */
  private async freeHandles(tx: Tx, changed: readonly Retaken[]): Promise<void> {
    const renamed = changed.filter((one) => one.renamed).map(({ creator }) => creator._id);
    if (renamed.length > 0)
      await this.rows.identities.updateMany(
        { _id: { $in: renamed } },
        [{ $set: { handle_lower: { $concat: ['=', '$_id'] } } }],
        tx.options(),
      );
  }

  private async keepEvidence(tx: Tx, batch: readonly Taken[]): Promise<void> {
    const [some, none] = [
      batch.filter(({ evidence }) => evidence.length > 0),
      batch.filter(({ evidence }) => evidence.length === 0),
    ];
    if (some.length > 0)
      await this.rows.evidence.bulkWrite(
        some.map(({ creator: { _id }, evidence }) => ({
          replaceOne: { filter: { _id }, replacement: { posts: [...evidence] }, upsert: true },
        })),
        tx.options(),
      );
    if (none.length > 0)
      await this.rows.evidence.deleteMany({ _id: { $in: none.map(({ creator }) => creator._id) } }, tx.options());
  }
}
