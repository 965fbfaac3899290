import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { isDuplicate, LostRace } from '@cds/service';
import { dayOf } from '@cds/service/calendar';
import type { Creator, Identity } from '../domain/creator/creator.js';
import { type Refused, refusalOf } from '../domain/import/import-checks.js';
import { avatarAfter, type Taken, takeCreator } from '../domain/import/import-creator.js';
import type { ImportSource } from '../domain/import/import-source.js';
import type { ImportedCreator } from '../domain/import/imported-creator.js';
import { completed, type ReadRow, type Stated } from '../domain/import/stated.js';
import type { ImportTransaction, Retaken } from '../identity/import-transaction.js';
import { withoutValues } from '../identity/without-values.js';
import type { Launches } from '../store/launches.js';
import { heldOf, type Known, type KnownCreators, withoutFormer } from './known-creators.js';

export type ImportReport = { created: number; updated: number; unchanged: number; refused: Refused[] };

export type ImportRules = {
  dryRun?: boolean;
  only?: string;
};

/** Attempts at a batch: a concurrent import may take one of its handles, or a creator or launch may change. */
const TRIES = 5;

type Decided = { added: Taken[]; changed: Retaken[]; report: ImportReport };

/**
 * The only way creator facts enter catalog. A bad row is refused without stopping the others. Source:
 * docs/domain/network.md#imports.
 */
export class Importer {
  constructor(
    private readonly known: KnownCreators,
    private readonly transaction: Pick<ImportTransaction, 'write'>,
    private readonly launches: Pick<Launches, 'all'>,
  ) {}

  importCreators(batch: readonly ImportedCreator[], source: ImportSource): Promise<ImportReport> {
    return this.importRows(
      batch.map((stated, row) => ({ row, stated, refused: [] })),
      source,
    );
  }

  async importRows(rows: readonly ReadRow[], source: ImportSource, rules: ImportRules = {}): Promise<ImportReport> {
    for (let tries = 1; ; tries += 1) {
      const { launches, rev: launchesRev } = await this.launches.all();
      const { added, changed, report } = this.decide(
        rows,
        await this.known.among(rows),
        { ...source, launches },
        rules,
      );
      if (rules.dryRun === true || added.length + changed.length === 0) return report;
      try {
        await this.transaction.write({ added, changed, launchesRev, at: source.recordedAt });
        return report;
      } catch (error) {
        if (!(isDuplicate(error) || error instanceof LostRace) || tries === TRIES) throw withoutValues(error);
      }
    }
  }

  private decide(rows: readonly ReadRow[], known: Known, source: ImportSource, rules: ImportRules): Decided {
    const decided: Decided = {
      added: [],
      changed: [],
      report: { created: 0, updated: 0, unchanged: 0, refused: [] },
    };
    const seen = new Set<string>();
    for (const { row, stated, refused } of rows) {
      decided.report.refused.push(...refused);
      if (stated === null) continue;
      const refusal = this.takeRow(row, stated, known, seen, source, rules, decided);
      if (refusal !== null) decided.report.refused.push({ row, ...refusal });
    }
    return decided;
  }

  private takeRow(
    row: number,
    read: Stated,
    known: Known,
    seen: Set<string>,
    source: ImportSource,
    rules: ImportRules,
    { added, changed, report }: Decided,
  ): Omit<Refused, 'row'> | null {
    const holder = known.holderOf.get(read.handle.toLowerCase());
    const held = heldOf(read, holder, known);
    const identity = held === null ? undefined : known.identities.get(held._id);
    const stated = withoutFormer(read, holder, held, identity, known);
    const handle = stated.handle.toLowerCase();
    if (held === null ? holder !== undefined : holder !== undefined && holder !== held._id)
      return { field: 'handle', message: 'belongs to another creator' };
    if (rules.only !== undefined && held?._id !== rules.only)
      return { field: 'handle', message: 'must be the creator that the request names' };
    if (held?.erased_at !== undefined) return { field: 'network_id', message: 'belongs to a creator that was erased' };
    if (held?.merged_into !== undefined)
      return { field: 'network_id', message: `belongs to a creator that was merged into ${held.merged_into}` };
    if (held !== null && seen.has(held._id)) return { field: 'network_id', message: 'must appear only once' };
    if (held !== null && held.synced_at !== null && held.synced_at > source.asOf)
      return { field: 'as_of', message: 'must not be older than the stored facts' };

    const facts = completed(stated, held);
    const wrong = refusalOf(facts, row, dayOf(source.asOf));
    if (wrong !== null) return { field: wrong.field, message: wrong.message };

    const avatar = avatarAfter(stated.avatar_source, identity);
    const evidence = known.evidence.get(held?._id ?? '') ?? [];
    const posts = stated.posts !== undefined;
    const taken = takeCreator(facts, held, source, randomUUID, { posts, avatar, evidence, handles: [read.handle] });
    const { _id: id } = taken.creator;
    seen.add(id);
    if (identity !== undefined) known.holderOf.delete(identity.handle_lower);
    known.holderOf.set(handle, id);
    if (held === null) {
      // A second row of the same file must find this creator and be refused as a repetition.
      const fresh = { ...taken.creator, network_version: 0 };
      known.byNetworkId.set(fresh.network_id, fresh);
      known.byId.set(id, fresh);
      added.push(taken);
      report.created += 1;
    } else if (isUnchanged(taken, held, identity) && isDeepStrictEqual(taken.evidence, evidence)) report.unchanged += 1;
    else {
      changed.push({ ...taken, heldVersion: held.network_version });
      report.updated += 1;
    }
    return null;
  }
}

const isUnchanged = ({ creator, prices, identity }: Taken, held: Creator, before: Identity | undefined): boolean => {
  const { network_version: _version, ...facts } = held;
  return (
    prices.length === 0 &&
    before !== undefined &&
    before.handle === identity.handle &&
    before.url === identity.url &&
    before.avatar_source === identity.avatar_source &&
    isDeepStrictEqual(creator, facts)
  );
};
