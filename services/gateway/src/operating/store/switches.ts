import { setTimeout as delay } from 'node:timers/promises';
import { DEFAULT_SWITCHES, DEPRECATED_FIELDS, type SwitchBoardView, type Switches } from '@cds/contracts';
import { type Collection, Deadline, isDuplicate, LostRace, type Store, type Tx } from '@cds/service';

/** The switches as stored; each change is a version. */
export type SwitchRow = {
  _id: 'switches';
  version?: number;
  changed_at?: Date;
  changed_by?: string;
} & Partial<Switches>;

/** Counted from the start of the read. A change is answered only after this time (`SwitchBoard.everywhere`). */
const FRESH_MS = 500;
/** From this age on, a request starts the next read, so that under load no request waits for one. */
const RENEW_MS = 250;
/** How much longer a change waits, because clocks of machines run at slightly different speeds. */
const CLOCK_DRIFT_MS = 50;

const switchesIn = (row: SwitchRow | null): Switches => ({
  payments_open: row?.payments_open ?? DEFAULT_SWITCHES.payments_open,
  writes_open: row?.writes_open ?? DEFAULT_SWITCHES.writes_open,
  invoice_rail: row?.invoice_rail ?? DEFAULT_SWITCHES.invoice_rail,
  deprecated_until: row?.deprecated_until ?? DEFAULT_SWITCHES.deprecated_until,
  extensions: row?.extensions ?? DEFAULT_SWITCHES.extensions,
});

/**
 * The switches as every gateway finds them (docs/domain/operators.md#switches): a change waits until each older reading
 * has ended.
 */
export class SwitchBoard {
  private readonly rows: Collection<SwitchRow>;
  private cached: { switches: Switches; at: number } | undefined;
  private reading: { switches: Promise<Switches>; at: number } | undefined;

  constructor(store: Store) {
    this.rows = store.collection<SwitchRow>({ name: 'switches' });
  }

  current(): Promise<Switches> | Switches {
    const now = performance.now();
    const { cached } = this;
    if (cached === undefined || now - cached.at >= FRESH_MS) return this.read(now);
    // The request has its answer; whatever happens to this read, the next request that needs one starts its own.
    if (now - cached.at >= RENEW_MS) this.read(now).catch(() => undefined);
    return cached.switches;
  }

  stored(): Promise<SwitchRow | null> {
    return this.rows.findOne({ _id: 'switches' });
  }

  /** Stores the next version; it holds for all after `everywhere`. Raises LostRace when they changed since. */
  async set(tx: Tx, from: SwitchRow | null, to: SwitchRow): Promise<void> {
    if (from === null) {
      await this.rows.insertOne(to, tx.options()).catch((error: unknown) => {
        throw isDuplicate(error) ? new LostRace('switches') : error;
      });
      return;
    }
    const { _id, ...row } = to;
    const same = { _id, version: from.version ?? { $exists: false } };
    const done = await this.rows.replaceOne(same as { _id: 'switches' }, row, tx.options());
    if (done.matchedCount === 0) throw new LostRace('switches');
  }

  /** Ends once no gateway serves a request by a reading from before this call. */
  everywhere(): Promise<void> {
    return delay(FRESH_MS + CLOCK_DRIFT_MS);
  }

  /** The running read, unless it began too long ago, or a new one. */
  private read(now: number): Promise<Switches> {
    if (this.reading !== undefined && now - this.reading.at < FRESH_MS) return this.reading.switches;
    // Shared by all callers, so the first caller's deadline must not end it.
    const started = { at: now, switches: Deadline.detached(() => this.load(now)) };
    this.reading = started;
    const ended = () => {
      if (this.reading === started) this.reading = undefined;
    };
    started.switches.then(ended, ended);
    return started.switches;
  }

  /** Reads from the primary in office alone: one that lost its office without knowing might not have the change. */
  private async load(at: number): Promise<Switches> {
    const row = await this.rows.findOne({ _id: 'switches' }, { readConcern: { level: 'linearizable' } });
    const switches = switchesIn(row);
    if (this.cached === undefined || this.cached.at < at) this.cached = { switches, at };
    return switches;
  }
}

export const presentSwitches = (row: SwitchRow | null): SwitchBoardView => ({
  ...switchesIn(row),
  deprecated_until: { ...DEPRECATED_FIELDS, ...row?.deprecated_until },
  changed_at: row?.changed_at?.toISOString() ?? null,
  changed_by: row?.changed_by ?? null,
});
