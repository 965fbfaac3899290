import { unavailable } from '@cds/contracts';
import { Deadline, readingOf } from '@cds/service';
import { dayOf } from '@cds/service/calendar';
import { COUNTS_KEPT_MS } from '../domain/constants.js';
import { isListed } from '../domain/creator/bookable.js';
import type { RowFacts } from '../present/creator.js';
import type { Creators } from '../store/creators.js';
import type { NetworkState } from '../store/network-state.js';
import { Codes, type Dictionaries } from './columns.js';
import { Network } from './network.js';
import { makeRow, type Row } from './rows.js';

export type NetworkCounts = { approved: number; priced: number; asOf: Date };

export type RowFilter = {
  /** Reads the identities of a network version before its rows are encoded. */
  follow: (version: number) => Promise<void>;
  passes: (creatorId: string, encoded: string) => boolean;
};

/** From this many changes on, the network is rebuilt rather than patched. */
const LOAD_FROM = 5_000;

/** The listed creators, patched by each change, so that lists need no database (docs/reliability.md#catalog-memory). */
export class NetworkMemory {
  private places = new Map<string, number>();
  private readonly dictionaries: Dictionaries = { countries: new Codes(), languages: new Codes() };
  private current: Network | null = null;
  private counted: { of: Network; counts: NetworkCounts } | null = null;
  private following: Promise<void> = Promise.resolve();

  constructor(
    private readonly creators: Creators,
    private readonly state: NetworkState,
    private readonly rowFilter: RowFilter,
    private readonly appUrl: string,
  ) {
    readingOf('cds_snapshot_creators', () => this.places.size);
  }

  follow(day: string): Promise<void> {
    return this.inTurn(() => this.catchUp(day));
  }

  take(ids: readonly string[], day: string): Promise<void> {
    return this.inTurn(() => this.catchUp(day, ids));
  }

  rebuild(day: string): Promise<void> {
    return this.inTurn(() => {
      this.current = null;
      return this.catchUp(day);
    });
  }

  turn(day: string): void {
    if (this.current !== null && day > this.current.day) this.patch(new Map(), this.current.version, day);
  }

  /**
   * The first request of a new day rebuilds the rows whose prices expired. Raises unavailable before the first load.
   */
  at(networkNow: Date): Network {
    this.turn(dayOf(networkNow));
    if (this.current === null) throw unavailable('The network is still loading. Retry in a moment.', 2);
    return this.current;
  }

  /** A listed creator as this replica has it; compare its `network_version` with the database. */
  held(id: string): RowFacts | null {
    const place = this.places.get(id);
    const creator = place === undefined ? undefined : this.current?.rows[place]?.creator;
    return creator?._id === id ? creator : null;
  }

  /** The network's counts, cached for at most five minutes and dropped at midnight and at each change. */
  counts(networkNow: Date): NetworkCounts {
    const network = this.at(networkNow);
    const age = networkNow.getTime() - (this.counted?.counts.asOf.getTime() ?? 0);
    if (this.counted === null || this.counted.of !== network || age > COUNTS_KEPT_MS)
      this.counted = { of: network, counts: { ...network.counts, asOf: networkNow } };
    return this.counted.counts;
  }

  private inTurn(work: () => Promise<void>): Promise<void> {
    // All callers share the memory, so the work must outlive the first caller's deadline.
    this.following = this.following.catch(() => undefined).then(() => Deadline.detached(work));
    return this.following;
  }

  private async catchUp(day: string, ids: readonly string[] = []): Promise<void> {
    const { version } = await this.state.read();
    const { current } = this;
    if (current?.version === version && current.day >= day && ids.length === 0) return;
    await this.rowFilter.follow(version);

    const changed = current === null ? this.creators.listed() : this.creators.changedSince(current.version);
    const held = new Map<string, RowFacts | null>();
    for await (const creator of changed) held.set(creator._id, creator);
    const others = ids.filter((id) => !held.has(id));
    for (const id of others) held.set(id, null);
    for (const creator of others.length === 0 ? [] : await this.creators.rowsOf(others)) held.set(creator._id, creator);
    this.patch(held, version, day);
  }

  /** Builds the next version with these creators; null is one that is gone. */
  private patch(changed: ReadonlyMap<string, RowFacts | null>, version: number, wanted: string): void {
    const { current } = this;
    const day = current !== null && current.day > wanted ? current.day : wanted;
    const rows: Row[] = current === null ? [] : [...current.rows];
    if (current === null) this.places = new Map();
    const touched = new Set<number>();

    for (const [id, creator] of changed) {
      const row = creator === null || !isListed(creator) ? null : this.filtered(makeRow(creator, day, this.appUrl));
      if (row === null) this.drop(rows, id, touched);
      else this.put(rows, id, row, touched);
    }
    if (current !== null && current.day !== day) {
      for (const row of current.rows) {
        const { _id: id } = row.creator;
        if (row.changesOn === null || row.changesOn > day || changed.has(id)) continue;
        const next = this.filtered(makeRow(row.creator, day, this.appUrl));
        if (next === null) this.drop(rows, id, touched);
        else this.put(rows, id, next, touched);
      }
    }

    const patches = current !== null && touched.size < LOAD_FROM;
    const former = patches ? { network: current, changed: { places: [...touched], from: current.rows.length } } : null;
    this.current = new Network(rows, version, day, this.dictionaries, former);
  }

  private filtered(row: Row): Row | null {
    return this.rowFilter.passes(row.creator._id, row.suffix.toString()) ? row : null;
  }

  private put(rows: Row[], id: string, row: Row, touched: Set<number>): void {
    const place = this.places.get(id) ?? rows.length;
    this.places.set(id, place);
    rows[place] = row;
    touched.add(place);
  }

  /** Removes a row; the last one moves into its place. */
  private drop(rows: Row[], id: string, touched: Set<number>): void {
    const place = this.places.get(id);
    const last = rows.pop();
    if (place === undefined || last === undefined) {
      if (last !== undefined) rows.push(last);
      return;
    }
    this.places.delete(id);
    touched.add(place).add(rows.length);
    if (place === rows.length) return;
    rows[place] = last;
    this.places.set(last.creator._id, place);
  }
}
