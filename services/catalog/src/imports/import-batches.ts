import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ImportSource } from '../domain/import/import-source.js';
import type { ReadRow, Stated } from '../domain/import/stated.js';
import type { Importer, ImportReport, ImportRules } from './importer.js';

const BATCH = 25;
const REFUSED_MAX = 1_000;

export type Progress = (report: ImportReport) => Promise<void>;

export type ImportWanted = {
  asOf: Date | null;
  dryRun: boolean;
  /** The creator of the path, with its handle: a CSV belongs to one, and a JSON file may name nobody else. */
  creator: { id: string; handle: string; networkId: string } | null;
  networkNow: Date;
  setBy: string;
};

/** A row refused because an earlier one named the same creator. */
const repetition = ({ row, refused }: ReadRow, field: string): ReadRow => ({
  row,
  stated: null,
  refused: [...refused, { row, field, message: 'must appear only once' }],
});

export class Batches {
  private rows: ReadRow[] = [];
  private readonly ids = new Set<string>();
  private readonly handles = new Set<string>();
  private readonly sum: ImportReport = { created: 0, updated: 0, unchanged: 0, refused: [] };
  private readonly rules: ImportRules;

  constructor(
    private readonly importer: Importer,
    private readonly source: ImportSource,
    { dryRun, creator }: ImportWanted,
    private readonly progress: Progress,
  ) {
    this.rules = { dryRun, ...(creator === null ? {} : { only: creator.id }) };
  }

  refuse(refused: ImportReport['refused']): void {
    this.sum.refused.push(...refused.slice(0, Math.max(0, REFUSED_MAX - this.sum.refused.length)));
  }

  async take(row: ReadRow): Promise<void> {
    const repeated = this.repetitionIn(row.stated);
    this.rows.push(repeated === null ? row : repetition(row, repeated));
    if (this.rows.length >= BATCH) await this.flush();
  }

  async finish(): Promise<ImportReport> {
    await this.flush();
    return this.sum;
  }

  private repetitionIn(stated: Stated | null): 'network_id' | 'handle' | null {
    if (stated === null) return null;
    const { network_id: id, handle } = stated;
    if (id !== null && this.ids.has(id)) return 'network_id';
    if (this.handles.has(handle.toLowerCase())) return 'handle';
    if (id !== null) this.ids.add(id);
    this.handles.add(handle.toLowerCase());
    return null;
  }

  private async flush(): Promise<void> {
    const { rows } = this;
    this.rows = [];
    if (rows.length === 0) return;
    const { created, updated, unchanged, refused } = await this.importer.importRows(rows, this.source, this.rules);
    this.sum.created += created;
    this.sum.updated += updated;
    this.sum.unchanged += unchanged;
    this.refuse(refused);
    await this.progress(this.sum);
    await nextTurn();
  }
}
