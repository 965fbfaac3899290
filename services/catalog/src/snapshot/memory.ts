import { unavailable } from '@cds/contracts';
import { isListed } from '../domain/bookable.js';
import { COUNTS_KEPT_MS } from '../domain/constants.js';
import { dayOf } from '../domain/days.js';
import type { Creators } from '../store/creators.js';
import type { NetworkState } from '../store/network-state.js';
import { makeRow, Network, type Row } from './network.js';

/** The counts of the whole network and the time of their counting. */
export type NetworkCounts = { approved: number; priced: number; asOf: Date };

/** What looks at each encoded row before it can leave (reliability 3.9). */
export type RowFence = {
  /** Takes in the identities of a version of the network, before its rows are encoded. */
  follow: (version: number) => Promise<void>;
  passes: (creatorId: string, encoded: string) => boolean;
};

/**
 * Holds the listed creators in memory and follows the network's version, so that every replica answers lists without
 * the database. MongoDB is the truth it is rebuilt from (reliability 3.12).
 */
export class NetworkMemory {
  private readonly rows = new Map<string, Row>();
  private current: Network | null = null;
  private counted: { of: Network; counts: NetworkCounts } | null = null;
  private following: Promise<void> = Promise.resolve();

  constructor(
    private readonly creators: Creators,
    private readonly state: NetworkState,
    private readonly fence: RowFence,
  ) {}

  /** Takes in what changed since the version in memory; everything at the first call. `day` is the network's day. */
  follow(day: string): Promise<void> {
    this.following = this.following.catch(() => undefined).then(() => this.catchUp(day));
    return this.following;
  }

  /**
   * The network as it stands on a day: freshness of prices is by day, so the first request of a new day makes its rows
   * anew. Raises unavailable before the first load.
   */
  at(networkNow: Date): Network {
    if (this.current === null) throw unavailable('The network is not in memory yet. Retry in a moment.', 2);
    const day = dayOf(networkNow);
    if (day > this.current.day) this.remake(this.current.version, day);
    return this.current;
  }

  /** The network's counts, kept at most five minutes and dropped at midnight and at each change. */
  counts(networkNow: Date): NetworkCounts {
    const network = this.at(networkNow);
    const age = networkNow.getTime() - (this.counted?.counts.asOf.getTime() ?? 0);
    if (this.counted === null || this.counted.of !== network || age > COUNTS_KEPT_MS)
      this.counted = { of: network, counts: { ...network.counts, asOf: networkNow } };
    return this.counted.counts;
  }

  private async catchUp(day: string): Promise<void> {
    const { version } = await this.state.read();
    const today = this.current === null || day > this.current.day ? day : this.current.day;
    if (this.current?.version === version && this.current.day === today) return;
    await this.fence.follow(version);

    const changed = this.current === null ? this.creators.listed() : this.creators.changedSince(this.current.version);
    for await (const creator of changed) {
      if (isListed(creator)) this.hold(makeRow(creator, today));
      else this.rows.delete(creator._id);
    }
    this.remake(version, this.current !== null && this.current.day > today ? this.current.day : today);
  }

  /** Holds a row, unless its bytes show whose it is. */
  private hold(row: Row): void {
    const { _id: id } = row.creator;
    if (this.fence.passes(id, row.tail.toString())) this.rows.set(id, row);
    else this.rows.delete(id);
  }

  private remake(version: number, day: string): void {
    for (const row of [...this.rows.values()]) if (row.day !== day) this.hold(makeRow(row.creator, day));
    this.current = new Network(this.rows.values(), version, day);
  }
}
