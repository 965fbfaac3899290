import type { Collection, Store, Tx } from '@cds/service';
import { NO_OVERRIDE, type UnitOverride } from '../domain/edits/overrides.js';

export type UnitOverrideRow = UnitOverride & { _id: string; ws: string; unit_id: string };

const idOf = (ws: string, unitId: string): string => `${ws}|${unitId}`;

export class UnitOverrides {
  readonly rows: Collection<UnitOverrideRow>;

  constructor(store: Store) {
    this.rows = store.collection<UnitOverrideRow>({ name: 'unit_overrides', indexes: [{ key: { ws: 1 } }] });
  }

  async byWorkspace(ws: string): Promise<ReadonlyMap<string, UnitOverride>> {
    const rows = await this.rows.find({ ws }).toArray();
    return new Map(rows.map((row) => [row.unit_id, row]));
  }

  async byUnit(ws: string, unitId: string): Promise<UnitOverride> {
    const row = await this.rows.findOne({ _id: idOf(ws, unitId), ws });
    return row === null
      ? NO_OVERRIDE
      : { price_cents: row.price_cents, age_days: row.age_days, off_sale: row.off_sale };
  }

  async set(tx: Tx, ws: string, unitId: string, override: UnitOverride): Promise<void> {
    await this.rows.updateOne(
      { _id: idOf(ws, unitId) },
      { $set: { ...override, ws, unit_id: unitId } },
      { ...tx.options(), upsert: true },
    );
  }

  async clear(tx: Tx, ws: string, unitId: string): Promise<void> {
    await this.rows.deleteOne({ _id: idOf(ws, unitId), ws }, tx.options());
  }
}
