import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { isDuplicate, LostRace } from '@cds/service';
import { dayOf } from '@cds/service/calendar';
import type { Creator, Identity } from '../domain/creator/creator.js';
import { isOfNetwork } from '../domain/creator/leaving.js';
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

/** The handle that a file states for each network id. */
export type Claims = ReadonlyMap<string, string>;

export type ImportRules = {
  dryRun?: boolean;
  only?: string;
  /** Of the whole file: a row may wait for one further down that gives its handle up. */
  claims?: Claims;
  /** Handles that earlier rows of a dry run took, by creator: nothing was written. */
  moved?: ReadonlyMap<string, string>;
};

export type Imported = ImportReport & {
  /** Rows whose handle another row of the file gives up later. */
  waiting: ReadRow[];
  moved: ReadonlyMap<string, string>;
  /** The network ids of creators whose handle a row states as its own. */
  contested: string[];
};

export const claimsOf = (rows: readonly ReadRow[]): Claims =>
  new Map(
    rows.flatMap(({ stated }) =>
      !stated?.network_id ? [] : [[stated.network_id, stated.handle.toLowerCase()] as const],
    ),
  );

/** Attempts at a batch: a concurrent import may take one of its handles, or a creator or launch may change. */
const TRIES = 5;

type Decided = { added: Taken[]; changed: Retaken[]; report: Imported; moved: Map<string, string> };

/** A row that is right by itself, and the creator that it is about. */
type Candidate = { row: ReadRow; read: Stated; stated: Stated; held: Creator | null; identity: Identity | undefined };

type Refusal = Omit<Refused, 'row'>;

/** The only way creator facts enter catalog (docs/domain/network.md#imports). A bad row stops no other. */
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

  async importRows(rows: readonly ReadRow[], source: ImportSource, rules: ImportRules = {}): Promise<Imported> {
    for (let tries = 1; ; tries += 1) {
      const { launches, rev: launchesRev } = await this.launches.all();
      const { added, changed, report } = decide(rows, await this.known.among(rows), { ...source, launches }, rules);
      if (rules.dryRun === true || added.length + changed.length === 0) return report;
      try {
        await this.transaction.write({ added, changed, launchesRev, at: source.recordedAt });
        return report;
      } catch (error) {
        if (!(isDuplicate(error) || error instanceof LostRace) || tries === TRIES) throw withoutValues(error);
      }
    }
  }
}

const decide = (rows: readonly ReadRow[], known: Known, source: ImportSource, rules: ImportRules): Decided => {
  const moved = new Map<string, string>();
  const report: Imported = { created: 0, updated: 0, unchanged: 0, refused: [], waiting: [], moved, contested: [] };
  const decided: Decided = { added: [], changed: [], report, moved };
  const claims = new Map([...claimsOf(rows), ...(rules.claims ?? [])]);
  const seen = new Set<string>();
  for (const [id, handle] of rules.moved ?? []) giveHandle(known, id, handle);

  const candidates = rows.flatMap((row): Candidate[] => {
    if (row.stated === null) {
      report.refused.push(...row.refused);
      return [];
    }
    const candidate = candidateOf(row, row.stated, known, claims);
    const refusal = refusalOfCandidate(candidate, seen, source, rules);
    if (refusal !== null) report.refused.push(...row.refused, { row: row.row, ...refusal });
    return refusal === null ? [candidate] : [];
  });
  const { granted, blocked } = grantHandles(candidates, known);
  for (const one of blocked) {
    const holder = holderOf(one, known);
    if (holder !== undefined && isOfNetwork(holder)) report.contested.push(holder.network_id);
    if (rules.claims !== undefined && waits(one, known, claims)) report.waiting.push(one.row);
    else report.refused.push(...one.row.refused, { row: one.row.row, ...TAKEN });
  }
  for (const { held, stated } of granted) if (held !== null) giveHandle(known, held._id, stated.handle.toLowerCase());
  for (const one of granted) {
    report.refused.push(...one.row.refused);
    takeRow(one, known, source, decided);
  }
  report.refused.sort((one, other) => one.row - other.row);
  return decided;
};

const TAKEN: Refusal = {
  field: 'handle',
  message: 'belongs to another creator. If it changed hands, import both in one file',
};

const giveHandle = (known: Known, id: string, handle: string): void => {
  const before = known.identities.get(id)?.handle_lower;
  if (before !== undefined && known.holderOf.get(before) === id) known.holderOf.delete(before);
  known.holderOf.set(handle, id);
};

/** Who holds a handle. A row without an id does not mean a creator whom the file itself gives another handle. */
const candidateOf = (row: ReadRow, read: Stated, known: Known, claims: Claims): Candidate => {
  const handle = read.handle.toLowerCase();
  const holder = known.holderOf.get(handle);
  const claimed = claims.get(known.byId.get(holder ?? '')?.network_id ?? '');
  const meant = read.network_id === null && claimed !== undefined && claimed !== handle ? undefined : holder;
  const held = heldOf(read, meant, known);
  const identity = held === null ? undefined : known.identities.get(held._id);
  return { row, read, stated: withoutFormer(read, meant, held, identity, known), held, identity };
};

const refusalOfCandidate = (
  { row, stated, held }: Candidate,
  seen: Set<string>,
  source: ImportSource,
  rules: ImportRules,
): Refusal | null => {
  if (rules.only !== undefined && held?._id !== rules.only)
    return { field: 'handle', message: 'must be the creator that the request names' };
  if (held?.erased_at !== undefined) return { field: 'network_id', message: 'belongs to a creator that was erased' };
  if (held?.merged_into !== undefined)
    return { field: 'network_id', message: `belongs to a creator that was merged into ${held.merged_into}` };
  // The row of an id that the store does not know yet, or of a creator.
  const subject = held?._id ?? (stated.network_id || stated.handle.toLowerCase());
  if (seen.has(subject)) return { field: 'network_id', message: 'must appear only once' };
  if (held !== null && held.synced_at !== null && held.synced_at > source.asOf)
    return { field: 'as_of', message: 'must not be older than the stored facts' };
  const wrong = refusalOf(completed(stated, held), row.row, dayOf(source.asOf));
  if (wrong !== null) return { field: wrong.field, message: wrong.message };
  seen.add(subject);
  return null;
};

/** Rows whose handle is free once all have theirs, so two creators may swap, and order does not matter. */
const grantHandles = (
  candidates: readonly Candidate[],
  known: Known,
): { granted: Candidate[]; blocked: Candidate[] } => {
  const wanted = new Set<string>();
  let granted = candidates.filter(({ stated: { handle } }) => {
    const first = !wanted.has(handle.toLowerCase());
    wanted.add(handle.toLowerCase());
    return first;
  });
  for (;;) {
    const leaving = new Set(
      granted
        .filter(
          ({ stated, identity }) => identity !== undefined && identity.handle_lower !== stated.handle.toLowerCase(),
        )
        .map(({ held }) => held?._id),
    );
    const free = granted.filter(({ stated, held }) => {
      const holder = known.holderOf.get(stated.handle.toLowerCase());
      return holder === undefined || holder === held?._id || leaving.has(holder);
    });
    if (free.length === granted.length) break;
    granted = free;
  }
  return { granted, blocked: candidates.filter((one) => !granted.includes(one)) };
};

const holderOf = ({ stated }: Candidate, known: Known): Creator | undefined =>
  known.byId.get(known.holderOf.get(stated.handle.toLowerCase()) ?? '');

/** Whether the file gives the handle's holder another one. */
const waits = (one: Candidate, known: Known, claims: Claims): boolean => {
  const claimed = claims.get(holderOf(one, known)?.network_id ?? '');
  return claimed !== undefined && claimed !== one.stated.handle.toLowerCase();
};

const takeRow = (
  { read, stated, held, identity }: Candidate,
  known: Known,
  source: ImportSource,
  { added, changed, report, moved }: Decided,
): void => {
  const avatar = avatarAfter(stated.avatar_source, identity);
  const evidence = known.evidence.get(held?._id ?? '') ?? [];
  const posts = stated.posts !== undefined;
  const taken = takeCreator(completed(stated, held), held, source, randomUUID, {
    posts,
    avatar,
    evidence,
    handles: [read.handle],
  });
  const renamed = identity !== undefined && identity.handle_lower !== taken.identity.handle_lower;
  if (renamed) moved.set(identity._id, taken.identity.handle_lower);
  if (held === null) {
    added.push(taken);
    report.created += 1;
  } else if (isUnchanged(taken, held, identity) && isDeepStrictEqual(taken.evidence, evidence)) report.unchanged += 1;
  else {
    changed.push({ ...taken, heldVersion: held.network_version, renamed });
    report.updated += 1;
  }
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
