import { unavailable } from '@cds/contracts';
import { Deadline } from '@cds/service';
import { dayOf } from '@cds/service/calendar';
import { COUNTS_KEPT_MS } from '../domain/constants.js';
import { isListed } from '../domain/creator/bookable.js';
import type { RowFacts } from '../present/creator.js';
import type { Creators } from '../store/creators.js';
import type { NetworkState } from '../store/network-state.js';
import { Codes, type Dictionaries } from './columns.js';
import { Network } from './network.js';
import { makeRow, type Row } from './rows.js';

/** The counts of the whole network and the time of their counting. */
export type NetworkCounts = { approved: number; priced: number; asOf: Date };

/** What looks at each encoded row before it can leave (reliability 3.9). */
export type RowFilter = {
  /** Takes in the identities of a version of the network, before its rows are encoded. */
  follow: (version: number) => Promise<void>;
  passes: (creatorId: string, encoded: string) => boolean;
};

/** So many creators at once are a load: the network is made anew rather than patched. */
const LOAD_FROM = 5_000;

/**
 * Holds the listed creators in memory and follows the network, so that every replica answers lists without the
 * database. What changed is patched into the next version; MongoDB is the truth it is rebuilt from (reliability 3.12).
 */
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
  ) {}

  /** Takes in what changed since the version in memory; everything at the first call. `day` is the network's day. */
  follow(day: string): Promise<void> {
    return this.inTurn(() => this.catchUp(day));
  }

  /** Takes in what changed since the version in memory, and these creators as the database holds them now. */
  take(ids: readonly string[], day: string): Promise<void> {
    return this.inTurn(() => this.catchUp(day, ids));
  }

  /** Reads the whole network anew, as after a time in which changes may have been missed. */
  rebuild(day: string): Promise<void> {
    return this.inTurn(() => {
      this.current = null;
      return this.catchUp(day);
    });
  }

  /** Moves on to a day, when it is a later one. */
  turn(day: string): void {
    if (this.current !== null && day > this.current.day) this.patch(new Map(), this.current.version, day);
  }

  /**
   * The network as it stands on a day: freshness of prices is by day, so the first request of a new day makes those
   * rows anew whose prices expired. Raises unavailable before the first load.
   */
  at(networkNow: Date): Network {
    this.turn(dayOf(networkNow));
    if (this.current === null) throw unavailable('The network is not in memory yet. Retry in a moment.', 2);
    return this.current;
  }

  /** A listed creator as this replica holds it; its `network_version` tells whether that is what the database holds. */
  held(id: string): RowFacts | null {
    const place = this.places.get(id);
    const creator = place === undefined ? undefined : this.current?.rows[place]?.creator;
    return creator?._id === id ? creator : null;
  }

  /** The network's counts, kept at most five minutes and dropped at midnight and at each change. */
  counts(networkNow: Date): NetworkCounts {
    const network = this.at(networkNow);
    const age = networkNow.getTime() - (this.counted?.counts.asOf.getTime() ?? 0);
    if (this.counted === null || this.counted.of !== network || age > COUNTS_KEPT_MS)
      this.counted = { of: network, counts: { ...network.counts, asOf: networkNow } };
    return this.counted.counts;
  }

  private inTurn(work: () => Promise<void>): Promise<void> {
    // The memory is the replica's: whoever asked first may stop waiting, and it still takes in what changed.
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

  /** Makes the next version of these creators; null stands for one that is gone. */
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

  /** A row, unless its bytes show whose it is. */
  private filtered(row: Row): Row | null {
    return this.rowFilter.passes(row.creator._id, row.suffix.toString()) ? row : null;
  }

  private put(rows: Row[], id: string, row: Row, touched: Set<number>): void {
    const place = this.places.get(id) ?? rows.length;
    this.places.set(id, place);
    rows[place] = row;
    touched.add(place);
  }

  /** Takes a row out; the last one moves into its place. */
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
