import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ImportSource } from '../domain/import/import-source.js';
import type { ReadRow, Stated } from '../domain/import/stated.js';
import type { Claims, Importer, ImportReport, ImportRules } from './importer.js';

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
  private waiting: ReadRow[] = [];
  private readonly moved = new Map<string, string>();
  private readonly ids = new Set<string>();
  private readonly handles = new Set<string>();
  private readonly sum: ImportReport = { created: 0, updated: 0, unchanged: 0, refused: [] };
  private readonly rules: ImportRules;

  constructor(
    private readonly importer: Importer,
    private readonly source: ImportSource,
    { dryRun, creator }: ImportWanted,
    private readonly progress: Progress,
    private readonly claims: Claims,
  ) {
    this.rules = { dryRun, moved: this.moved, ...(creator === null ? {} : { only: creator.id }) };
  }

  refuse(refused: ImportReport['refused']): void {
    this.sum.refused.push(...refused.slice(0, Math.max(0, REFUSED_MAX - this.sum.refused.length)));
  }

  async take(row: ReadRow): Promise<void> {
    const repeated = this.repetitionIn(row.stated);
    this.rows.push(repeated === null ? row : repetition(row, repeated));
    if (this.rows.length >= BATCH) await this.flush({ claims: this.claims });
  }

  async finish(): Promise<ImportReport> {
    if (this.rows.length > 0) await this.flush({ claims: this.claims });
    if (this.waiting.length > 0) await this.flush({});
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

  /** Without claims nothing waits any longer. */
  private async flush(claims: Pick<ImportRules, 'claims'>): Promise<void> {
    const rows = [...this.waiting, ...this.rows];
    this.rows = [];
    const { created, updated, unchanged, refused, waiting, moved } = await this.importer.importRows(rows, this.source, {
      ...this.rules,
      ...claims,
    });
    this.waiting = waiting;
    if (this.rules.dryRun === true) for (const [id, handle] of moved) this.moved.set(id, handle);
    this.sum.created += created;
    this.sum.updated += updated;
    this.sum.unchanged += unchanged;
    this.refuse(refused);
    await this.progress(this.sum);
    await nextTurn();
  }
}
