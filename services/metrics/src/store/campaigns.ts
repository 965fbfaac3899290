import { type Collection, newerOnly, type Store } from '@cds/service';

/** A campaign's display name. */
export type CampaignName = { _id: string; ws: string; version: number; display_name: string };

/** The projection of campaigns: their display names. */
export class Campaigns {
  readonly rows: Collection<CampaignName>;

  constructor(store: Store) {
    this.rows = store.collection<CampaignName>({ name: 'campaigns', indexes: [{ key: { ws: 1 } }] });
  }

  /** Display names of the workspace's campaigns, by id. */
  async names(ws: string, ids: string[]): Promise<Map<string, string>> {
    const rows = await this.rows.find({ ws, _id: { $in: ids } }).toArray();
    return new Map(rows.map((row) => [row._id, row.display_name]));
  }

  /** Stores a newer name; an older or repeated event changes nothing. */
  async keep({ _id, ...name }: CampaignName): Promise<void> {
    await newerOnly(this.rows, _id, name);
  }
}
