import type { Store, Tx } from '@cds/service';
import type { mongo } from 'mongoose';

type PlanDoc = { _id: string; ws: string; creator_ids: string[]; version: number };

/** Which creators stand on the lines of a workspace's plans, as planning tells it (domain 1-network 5). `_id` is the plan. */
export class PlanCreators {
  private readonly rows: mongo.Collection<PlanDoc>;

  constructor(store: Store) {
    this.rows = store.collection<PlanDoc>({ name: 'plan_creators', indexes: [{ key: { ws: 1, creator_ids: 1 } }] });
  }

  /** Whether a creator stands on a line of one of the workspace's plans. */
  async stands(workspace: string, creatorId: string): Promise<boolean> {
    return (await this.rows.findOne({ ws: workspace, creator_ids: creatorId }, { projection: { _id: 1 } })) !== null;
  }

  /** Takes a newer state of a plan; an older one changes nothing. */
  async take(
    tx: Tx,
    plan: { id: string; workspace: string; version: number; creatorIds: readonly string[] },
  ): Promise<void> {
    const held = await this.rows.findOne({ _id: plan.id }, tx.options());
    if (held !== null && held.version >= plan.version) return;
    await this.rows.replaceOne(
      { _id: plan.id },
      { ws: plan.workspace, creator_ids: [...plan.creatorIds], version: plan.version },
      { ...tx.options(), upsert: true },
    );
  }
}
