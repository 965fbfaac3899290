import type { AuditCheckpoint } from '@cds/contracts';
import type { Collection } from '../store/collection.js';
import type { Store } from '../store/store.js';

type CheckpointRow = AuditCheckpoint & { _id: string };

/** Copies of the signed checkpoints in the database, for exports. The sink has the originals. */
export class Checkpoints {
  private readonly rows: Collection<CheckpointRow>;

  constructor(store: Store) {
    this.rows = store.collection<CheckpointRow>({
      name: 'audit_checkpoints',
      indexes: [{ key: { workspace: 1, seq: 1 }, unique: true }],
    });
  }

  async add(checkpoints: readonly AuditCheckpoint[]): Promise<void> {
    await this.rows.bulkWrite(
      checkpoints.map((checkpoint) => ({
        updateOne: {
          filter: { _id: `${checkpoint.workspace}|${checkpoint.seq}` },
          update: { $setOnInsert: checkpoint },
          upsert: true,
        },
      })),
    );
  }

  async newest(): Promise<Map<string, number>> {
    const newest = new Map<string, number>();
    for (let after: string | null = null; ; ) {
      const next: CheckpointRow | null = await this.rows.findOne(after === null ? {} : { workspace: { $gt: after } }, {
        sort: { workspace: 1 },
      });
      if (next === null) return newest;
      after = next.workspace;
      const last = await this.rows.findOne({ workspace: after }, { sort: { seq: -1 } });
      newest.set(after, last?.seq ?? next.seq);
    }
  }

  async places(workspace: string, last: number): Promise<number[]> {
    const rows = await this.rows
      .find<Pick<CheckpointRow, 'seq'>>({ workspace, seq: { $lte: last } }, { projection: { _id: 0, seq: 1 } })
      .sort({ seq: 1 })
      .toArray();
    return rows.map(({ seq }) => seq);
  }

  between(workspace: string, first: number, last: number): Promise<AuditCheckpoint[]> {
    return this.rows
      .find<AuditCheckpoint>({ workspace, seq: { $gte: first, $lte: last } }, { projection: { _id: 0 } })
      .sort({ seq: 1 })
      .toArray();
  }
}
