import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { isDuplicate, LostRace } from '@cds/service';
import { dayOf } from '@cds/service/calendar';
import type { Creator, Identity, ImportedCreator } from '../domain/creator/creator.js';
import { isOfNetwork } from '../domain/creator/leaving.js';
import { type Refused, refusalOf } from '../domain/import/import-checks.js';
import { avatarAfter, type ImportSource, type Taken, takeCreator } from '../domain/import/import-creator.js';
import { completed, type ReadRow, type Stated } from '../domain/import/stated.js';
import type { PostEvidence } from '../domain/launches/evidence.js';
import type { DepartedNames } from '../identity/departed.js';
import type { Identities } from '../identity/identities.js';
import type { ImportTransaction, Retaken } from '../identity/import-transaction.js';
import type { PostEvidenceRows } from '../identity/post-evidence.js';
import { withoutValues } from '../identity/without-values.js';
import type { Creators } from '../store/creators.js';
import type { Launches } from '../store/launches.js';

/** What an import did. A creator with a refused post or unit counts where the rest of it went. */
export type ImportReport = { created: number; updated: number; unchanged: number; refused: Refused[] };

export type ImportRules = {
  /** Nothing is written; the report says what would be. */
  dryRun?: boolean;
  /** The one creator that the file may speak of. */
  only?: string;
};

/** How often a batch is decided anew when another import took one of its handles meanwhile, or a creator or a launch changed. */
const TRIES = 5;

type Decided = { added: Taken[]; changed: Retaken[]; report: ImportReport };

/** What catalog knows of the creators of a batch, moved forward row by row. */
type Known = {
  byNetworkId: Map<string, Creator>;
  byId: Map<string, Creator>;
  identities: Map<string, Identity>;
  holderOf: Map<string, string>;
  evidence: ReadonlyMap<string, PostEvidence[]>;
  /** By handles that are nobody's any more: who had each, or is the one who had it. */
  formerly: ReadonlyMap<string, Former>;
};

/** Who once had a handle; `ofNetwork`: only the network's id, and no handle beside another id, says that it is the same. */
type Former = { creator: Creator; ofNetwork: boolean };

/**
 * The one way facts of creators enter catalog: checks each row, cleans, measures and prices it, and writes the batch in
 * one transaction. A bad row is refused and never stops the others. Source: domain 1-network 12.
 */
export class Importer {
  constructor(
    private readonly creators: Creators,
    private readonly identities: Identities,
    private readonly transaction: ImportTransaction,
    private readonly launches: Pick<Launches, 'all'>,
    private readonly evidence: Pick<PostEvidenceRows, 'ofCreators'>,
    private readonly departed: Pick<DepartedNames, 'of'>,
  ) {}

  /** Imports whole facts; rows count from 0. */
  importCreators(batch: readonly ImportedCreator[], source: ImportSource): Promise<ImportReport> {
    return this.importRows(
      batch.map((stated, row) => ({ row, stated, refused: [] })),
      source,
    );
  }

  /** Imports rows of a file, a batch at a time. */
  async importRows(rows: readonly ReadRow[], source: ImportSource, rules: ImportRules = {}): Promise<ImportReport> {
    for (let tries = 1; ; tries += 1) {
      const { launches, rev: launchesRev } = await this.launches.all();
      const { added, changed, report } = this.decide(rows, await this.knownOf(rows), { ...source, launches }, rules);
      if (rules.dryRun === true || added.length + changed.length === 0) return report;
      try {
        await this.transaction.write({ added, changed, launchesRev, at: source.recordedAt });
        return report;
      } catch (error) {
        if (!(isDuplicate(error) || error instanceof LostRace) || tries === TRIES) throw withoutValues(error);
      }
    }
  }

  private async knownOf(rows: readonly ReadRow[]): Promise<Known> {
    const stated = rows.flatMap((row) => row.stated ?? []);
    const networkIds = stated.flatMap(({ network_id }) => network_id ?? []);
    const handles = stated.map(({ handle }) => handle.toLowerCase());
    const [byNetwork, holders] = await Promise.all([
      this.creators.byNetworkIds(networkIds),
      this.identities.holding(handles),
    ]);
    // In the order in which a creator leaves: one that does so meanwhile is found in one of the places.
    const leaving = await this.creators.leavingAmong(networkIds);
    const departed = await this.departed.of(networkIds, handles);
    const left = [...departed.byNetworkId.values(), ...departed.byHandle.values()].map(({ creatorId }) => creatorId);
    const made = stated.flatMap(({ generated }) => generated?.id ?? []);
    const byHandle = await this.creators.byIds([...holders.map(({ _id }) => _id), ...made, ...left]);
    const survivors = await this.creators.byIds(byHandle.flatMap(({ merged_into: into }) => into ?? []));
    const creators = [...byNetwork, ...byHandle, ...survivors];
    const byId = new Map(creators.map((creator) => [creator._id, creator]));
    const own = await this.identities.ofCreators([
      ...byNetwork.map(({ _id }) => _id),
      ...left,
      ...survivors.map(({ _id }) => _id),
    ]);
    const identities = [...holders, ...own];
    return {
      byNetworkId: new Map([
        ...[...departed.byNetworkId].flatMap(([id, { creatorId }]) => {
          const creator = byId.get(creatorId);
          return creator === undefined ? [] : [[id, creator] as const];
        }),
        ...leaving,
        ...creators.map((creator) => [creator.network_id, creator] as const),
      ]),
      byId,
      formerly: new Map(
        [...departed.byHandle].flatMap(([handle, { creatorId, ofNetwork }]) => {
          const former = byId.get(creatorId);
          if (former === undefined) return [];
          if (former.erased_at !== undefined) return [[handle, { creator: former, ofNetwork }] as const];
          const creator = byId.get(former.merged_into ?? '') ?? former;
          return [[handle, { creator, ofNetwork: isOfNetwork(creator) }] as const];
        }),
      ),
      identities: new Map(identities.map((identity) => [identity._id, identity])),
      evidence: await this.evidence.ofCreators(creators.map(({ _id }) => _id)),
      holderOf: new Map(identities.map(({ _id, handle_lower }) => [handle_lower, _id])),
    };
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
      return { field: 'handle', message: 'is the handle of another creator' };
    if (rules.only !== undefined && held?._id !== rules.only)
      return { field: 'handle', message: 'must be the creator that the request names' };
    if (held?.erased_at !== undefined) return { field: 'network_id', message: 'is of a creator that was erased' };
    if (held?.merged_into !== undefined)
      return { field: 'network_id', message: `is of a creator that was merged into ${held.merged_into}` };
    if (held !== null && seen.has(held._id)) return { field: 'network_id', message: 'must stand once' };
    if (held !== null && held.synced_at !== null && held.synced_at > source.asOf)
      return { field: 'as_of', message: 'must not be older than the facts held' };

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
      // A second row of the same file finds this creator, and is refused as a repetition.
      const fresh = { ...taken.creator, network_version: 0 };
      known.byNetworkId.set(fresh.network_id, fresh);
      known.byId.set(id, fresh);
      added.push(taken);
      report.created += 1;
    } else if (isUnchanged(taken, held, identity) && isDeepStrictEqual(taken.evidence, evidence)) report.unchanged += 1;
    else {
      changed.push({
        ...taken,
        heldVersion: held.network_version,
        identity: { ...taken.identity, post_urls: identity?.post_urls ?? [] },
      });
      report.updated += 1;
    }
    return null;
  }
}

/** Identity is the network's id, else the handle ignoring case; a creator first known by its handle gains the id. */
const heldOf = (stated: Stated, holder: string | undefined, known: Known): Creator | null => {
  const byId = stated.network_id === null ? undefined : known.byNetworkId.get(stated.network_id);
  if (byId !== undefined) return byId;
  const made = known.byId.get(stated.generated?.id ?? '');
  if (made !== undefined) return made;
  const byHandle = holder === undefined ? undefined : known.byId.get(holder);
  const former = byHandle === undefined ? known.formerly.get(stated.handle.toLowerCase()) : undefined;
  const found = byHandle === undefined ? former : { creator: byHandle, ofNetwork: isOfNetwork(byHandle) };
  if (found === undefined) return null;
  return stated.network_id === null || !found.ofNetwork ? found.creator : null;
};

/** A row that knows a creator by a handle alone that it gave up: the one that it has by now stays. */
const withoutFormer = (
  stated: Stated,
  holder: string | undefined,
  held: Creator | null,
  identity: Identity | undefined,
  known: Known,
): Stated => {
  if (stated.network_id !== null || holder !== undefined || held === null || identity === undefined) return stated;
  if (known.formerly.get(stated.handle.toLowerCase())?.creator._id !== held._id) return stated;
  return { ...stated, handle: identity.handle, url: identity.url };
};

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
