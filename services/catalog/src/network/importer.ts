import { randomUUID } from 'node:crypto';
import type { ImportedCreator } from '../domain/creator.js';
import { dayOf } from '../domain/days.js';
import { type Refused, refusalOf } from '../domain/import-checks.js';
import { type ImportSource, type Taken, takeCreator } from '../domain/import-creator.js';
import type { ImportTransaction } from '../identity/import-transaction.js';
import type { Creators } from '../store/creators.js';

export type ImportReport = { created: number; updated: number; refused: Refused[] };

/**
 * The one way facts of creators enter catalog: checks each row, cleans, measures and prices it, and writes the batch in
 * one transaction. A bad row is refused and never stops the others. Source: domain 1-network 12.
 */
export class Importer {
  constructor(
    private readonly creators: Creators,
    private readonly transaction: ImportTransaction,
  ) {}

  async importCreators(batch: readonly ImportedCreator[], source: ImportSource): Promise<ImportReport> {
    const known = await this.creators.byNetworkIds(batch.map((facts) => facts.network_id));
    const heldBy = new Map(known.map((creator) => [creator.network_id, creator]));
    const today = dayOf(source.asOf);

    const refused: Refused[] = [];
    const added: Taken[] = [];
    const changed: Taken[] = [];
    for (const [row, facts] of batch.entries()) {
      const held = heldBy.get(facts.network_id) ?? null;
      const older = held?.synced_at !== null && held?.synced_at !== undefined && held.synced_at > source.asOf;
      const refusal = older
        ? { row, field: 'as_of', message: 'must not be older than the facts held' }
        : refusalOf(facts, row, today);
      if (refusal !== null) {
        refused.push(refusal);
        continue;
      }
      const taken = takeCreator(facts, held, source, randomUUID);
      (held === null ? added : changed).push(taken);
    }

    if (added.length + changed.length > 0) await this.transaction.write({ added, changed });
    return { created: added.length, updated: changed.length, refused };
  }
}
