import { windowSubject } from '@cds/contracts';
import type { Counters, Store } from '@cds/service';

const MINUTE_MS = 60_000;

/** The longest an increment may take, in milliseconds. */
const COUNT_MS = 1_000;

/**
 * What a change of a key adds to its counters, so that whoever counts next knows that the key has changed
 * (docs/reliability.md#authentication). It is far above the requests of any minute.
 */
export const EPOCH = 1_000_000_000;

/** A request counted in its minute: how many there were with it, and the time on the database's clock. */
export type WindowFields = { win: Date; n: number; seen_at: Date };

/** What else a counter shows: in which minute, how often its key changed, and the era of both (Counters). */
export type CountedWindow = WindowFields & { minute: number; epoch: number; era: number };

/** Fixed windows of a minute, each a counter on the bus (ADR 0006). Its limit holds over all gateways. */
export class Windows {
  constructor(
    private readonly counters: Pick<Counters, 'add'>,
    private readonly store: Pick<Store, 'about'>,
  ) {}

  /** The current minute, numbered from the epoch, by the database's clock. */
  async minute(): Promise<{ minute: number; now: Date }> {
    const now = await this.store.about();
    return { minute: Math.floor(now.getTime() / MINUTE_MS), now };
  }

  /** Counts one request. Raises `unavailable` when it is not known whether it was counted. */
  async count(id: string, maxTimeMs = COUNT_MS): Promise<CountedWindow> {
    const { minute, now } = await this.minute();
    const { total, era } = await this.counters.add(windowSubject(id, minute), 1, Math.min(maxTimeMs, COUNT_MS));
    return {
      win: new Date(minute * MINUTE_MS),
      n: total % EPOCH,
      seen_at: now,
      minute,
      epoch: total - (total % EPOCH),
      era,
    };
  }

  /**
   * Says that keys have changed, after that was committed. A gateway whose clock differs by less than a minute counts
   * in one of these three minutes, and reads the key again in a later one.
   */
  async changed(ids: readonly string[]): Promise<void> {
    const { minute } = await this.minute();
    const subjects = ids.flatMap((id) => [minute - 1, minute, minute + 1].map((at) => windowSubject(id, at)));
    await Promise.all(subjects.map((subject) => this.counters.add(subject, EPOCH, COUNT_MS)));
  }
}
