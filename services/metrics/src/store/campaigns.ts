import { type Collection, newerOnly, type Store } from '@cds/service';

export type CampaignName = { _id: string; ws: string; version: number; display_name: string };

export class Campaigns {
  readonly rows: Collection<CampaignName>;

  constructor(store: Store) {
    this.rows = store.collection<CampaignName>({ name: 'campaigns', indexes: [{ key: { ws: 1 } }] });
  }

  async names(ws: string, ids: string[]): Promise<Map<string, string>> {
    const rows = await this.rows.find({ ws, _id: { $in: ids } }).toArray();
    return new Map(rows.map((row) => [row._id, row.display_name]));
  }

  async keep({ _id, ...name }: CampaignName): Promise<void> {
    await newerOnly(this.rows, _id, name);
  }
}
