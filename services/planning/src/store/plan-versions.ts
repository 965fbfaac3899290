import type { Collection, Store, Tx } from '@cds/service';
import type { PlanVersion } from '../domain/edits/plan-version.js';

/** The versions of all plans, written by `Plans` in the transaction of each version. */
export class PlanVersions {
  readonly rows: Collection<PlanVersion>;

  constructor(store: Store) {
    this.rows = store.collection<PlanVersion>({
      name: 'plan_versions',
      indexes: [{ key: { ws: 1, plan_id: 1, version: -1 } }],
    });
  }

  async add(tx: Tx, version: PlanVersion): Promise<void> {
    await this.rows.insertOne(version, tx.options());
  }

  /** The newest versions of a plan, those before one where it is named. */
  newest(ws: string, planId: string, of: { before: number | undefined; most: number }): Promise<PlanVersion[]> {
    return this.rows
      .find({ ws, plan_id: planId, ...(of.before === undefined ? {} : { version: { $lt: of.before } }) })
      .sort({ version: -1 })
      .limit(of.most)
      .toArray();
  }
}
