import { type Collection, newerOnly, type Store } from '@cds/service';

type PlanDoc = { _id: string; ws: string; creator_ids: string[]; version: number };

/** `_id` is the plan; planning's events own the data (docs/domain/network.md#bookable). */
export class PlanCreators {
  private readonly rows: Collection<PlanDoc>;

  constructor(store: Store) {
    this.rows = store.collection<PlanDoc>({ name: 'plan_creators', indexes: [{ key: { ws: 1, creator_ids: 1 } }] });
  }

  async isOnPlan(workspace: string, creatorId: string): Promise<boolean> {
    return (await this.rows.findOne({ ws: workspace, creator_ids: creatorId }, { projection: { _id: 1 } })) !== null;
  }

  async take(plan: { id: string; workspace: string; version: number; creatorIds: readonly string[] }): Promise<void> {
    const { id, workspace: ws, version, creatorIds } = plan;
    await newerOnly(this.rows, id, { ws, version, creator_ids: [...creatorIds] });
  }
}
