import { AppError } from '@cds/contracts';
import type { Logger } from 'pino';
import { raiseAlarm } from '../logs/raise-alarm.js';
import type { Collection } from '../store/collection.js';
import { isDatabaseUnavailable } from '../store/database-unavailable.js';
import { LostRace } from '../store/lost-race.js';
import type { Store } from '../store/store.js';
import { upserted } from '../store/upserted.js';
import { counterOf } from '../telemetry/metrics.js';

/** How many facts of a row were handled, 0 if it must wait, or `done` if the row itself says when it is due again. */
export type RowOutcome = number | 'done';

type Attempt = RowOutcome | 'raced' | 'postponed';

/** The rows of one sweep: how to find them, and what to do with each. */
export type RowSweep<Row> = {
  name: string;
  /** One page of what is due, in order, without the given ids. An empty page ends the run. */
  find: (without: readonly string[]) => Promise<readonly Row[]>;
  idOf: (row: Row) => string;
  handle: (row: Row) => Promise<RowOutcome>;
  /** A handled row may be due again at once, for its next fact. */
  repeats?: boolean;
  /** Handles up to `most` rows in one transaction. If it throws, each is handled alone. */
  together?: { most: number; handle: (rows: readonly Row[]) => Promise<readonly RowOutcome[]> };
  /** How many rows, or groups of them, are handled concurrently; 1 by default. */
  atOnce?: number;
  /** What may be logged of an error, for rows that hold personal data. */
  loggable?: (error: unknown) => unknown;
};

/** `kept`: postponed rows are skipped until their time. `ignored`: an advanced sandbox clock wants them all. */
export type Pauses = 'kept' | 'ignored';

/** A row of a sweep that could not be handled, and when any replica may retry it. */
type PutOff = { _id: string; sweep: string; row: string; failures: number; waits: number; next_at: Date };

const FIRST_PAUSE_MS = 1_000;
/**
 * The longest pause of a row that failed, that waits for something else, and that waits for a service or the database.
 */
const FAILED_PAUSE_MS = 300_000;
const WAITING_PAUSE_MS = 60_000;
const UNAVAILABLE_PAUSE_MS = 5_000;
/** After this many failures in a row, each further one raises an alarm. */
const ALARM_AFTER = 5;
/**
 * A run ends after this time so that it does not delay a stop; the next one continues. An advanced clock has no limit.
 */
const RUN_MS = 10_000;
const MAX_RACES = 3;
/** How many postponed rows of one sweep are read at most. */
const PUT_OFF_MAX = 10_000;
/** After this time without a retry, a postponed row is forgotten. */
const FORGOTTEN_AFTER_S = 7 * 86_400;

const failures = counterOf('cds_sweep_row_failures_total');
const waits = counterOf('cds_sweep_row_waits_total');

export const showRowsFromZero = (sweep: string): void => {
  failures.add(0, { sweep });
  waits.add(0, { sweep });
};

/**
 * No row blocks the others: one that fails is counted, reported and retried after a growing pause. Pauses are stored,
 * so every replica skips it until then.
 */
export class RowRunner {
  private readonly rows: Collection<PutOff>;

  constructor(
    private readonly store: Store,
    private readonly log: Pick<Logger, 'info' | 'warn' | 'error'>,
  ) {
    this.rows = store.collection<PutOff>({
      name: 'put_off',
      indexes: [{ key: { sweep: 1, next_at: 1 } }, { key: { next_at: 1 }, expireAfterSeconds: FORGOTTEN_AFTER_S }],
    });
  }

  /**
   * Handles what is due, page by page, and returns how many facts it handled. Throws if the database is unavailable.
   */
  async run<Row>(sweep: RowSweep<Row>, pauses: Pauses): Promise<number> {
    const end = pauses === 'kept' ? performance.now() + RUN_MS : Number.POSITIVE_INFINITY;
    // Most runs find nothing, so postponed rows are read only when there is something to skip. A `find` may claim what
    // it finds, so its first page is never thrown away.
    const first = await sweep.find([]);
    if (first.length === 0) return 0;
    const putOff = await this.putOffOf(sweep.name);
    const skip = new Set(pauses === 'kept' ? putOff.waiting : []);
    const races = new Map<string, number>();
    let handled = 0;

    const note = async (id: string, outcome: Attempt): Promise<void> => {
      if (outcome === 'raced') {
        const lost = (races.get(id) ?? 0) + 1;
        races.set(id, lost);
        if (lost < MAX_RACES) return;
        // Another replica is working on it. Counted as handled, so that an advanced clock checks again.
        handled += 1;
        skip.add(id);
        return;
      }
      if (typeof outcome === 'number') handled += outcome;
      if (outcome === 'postponed' || outcome === 'done' || sweep.repeats !== true) skip.add(id);
      if (outcome !== 'postponed' && putOff.all.delete(id))
        await this.rows.deleteOne({ _id: putOffId(sweep.name, id) });
    };
    const group = async (rows: readonly Row[]): Promise<void> => {
      const outcomes = rows.length > 1 ? await this.attemptAll(sweep, rows) : [];
      for (const [index, row] of rows.entries()) {
        const outcome = outcomes[index] || (performance.now() < end ? await this.attempt(sweep, row) : null);
        if (outcome !== null) await note(sweep.idOf(row), outcome);
      }
    };
    // A row that failed, waited or lost a race would do so again, and cost the others their turn.
    const isTroubled = (row: Row): boolean => putOff.all.has(sweep.idOf(row)) || races.has(sweep.idOf(row));

    for (let page = first; page.length > 0; ) {
      const waiting = page.filter((row) => !skip.has(sweep.idOf(row)));
      const left = groupsOf(waiting, sweep.together?.most ?? 1, isTroubled).values();
      const worker = async () => {
        for (const rows of left) if (performance.now() < end) await group(rows);
      };
      await Promise.all(Array.from({ length: sweep.atOnce ?? 1 }, worker));
      if (performance.now() >= end) break;
      page = await sweep.find([...skip]);
    }
    return handled;
  }

  /** The outcomes of rows that were handled together; none if that failed, which says nothing about any one of them. */
  private async attemptAll<Row>(sweep: RowSweep<Row>, rows: readonly Row[]): Promise<readonly Attempt[]> {
    try {
      return (await sweep.together?.handle(rows)) ?? [];
    } catch (error) {
      if (error instanceof LostRace) return rows.map(() => 'raced' as const);
      const fields = { err: sweep.loggable === undefined ? error : sweep.loggable(error), sweep: sweep.name };
      this.log.info({ ...fields, rows: rows.length }, 'rows of a sweep are now handled one by one');
      return [];
    }
  }

  private async attempt<Row>(sweep: RowSweep<Row>, row: Row): Promise<Attempt> {
    const id = sweep.idOf(row);
    try {
      const outcome = await sweep.handle(row);
      if (outcome !== 0) return outcome;
      await this.putOff(sweep.name, id, 'waits', WAITING_PAUSE_MS);
    } catch (error) {
      if (error instanceof LostRace) return 'raced';
      await this.report(sweep, id, error);
    }
    return 'postponed';
  }

  /** Postpones a row after an error. If the database is unavailable, this throws too and ends the run. */
  private async report<Row>({ name, loggable }: RowSweep<Row>, row: string, error: unknown): Promise<void> {
    const fields = { err: loggable === undefined ? error : loggable(error), sweep: name, row };
    if (isDatabaseUnavailable(error) || (error instanceof AppError && error.code !== 'internal')) {
      const unavailable = !(error instanceof AppError) || error.code === 'unavailable';
      await this.putOff(name, row, 'waits', unavailable ? UNAVAILABLE_PAUSE_MS : WAITING_PAUSE_MS);
      this.log.info(fields, 'a row of a sweep must wait; it will be retried');
      return;
    }
    const failed = await this.putOff(name, row, 'failures', FAILED_PAUSE_MS);
    if (failed < ALARM_AFTER) this.log.warn({ ...fields, failed }, 'a row of a sweep failed; it will be retried');
    else raiseAlarm(this.log, 'sweep_row_stuck', { ...fields, failed }, 'a row of a sweep keeps failing');
  }

  /**
   * Stores when to retry a row, doubling the pause each time, and returns how often it was postponed for this reason.
   */
  private async putOff(sweep: string, row: string, kind: 'failures' | 'waits', longestMs: number): Promise<number> {
    (kind === 'failures' ? failures : waits).add(1, { sweep });
    const before = { $ifNull: [`$${kind}`, 0] };
    const pause = { $min: [longestMs, { $multiply: [FIRST_PAUSE_MS, { $pow: [2, { $min: [before, 20] }] }] }] };
    const set = { sweep, row: { $literal: row }, [kind]: { $add: [before, 1] }, next_at: { $add: ['$$NOW', pause] } };
    const after = await upserted(() =>
      this.rows.findOneAndUpdate({ _id: putOffId(sweep, row) }, [{ $set: set }], {
        upsert: true,
        returnDocument: 'after',
      }),
    );
    return after?.[kind] ?? 1;
  }

  private async putOffOf(sweep: string): Promise<{ all: Set<string>; waiting: string[] }> {
    const rows = await this.rows.find({ sweep }).sort({ next_at: -1 }).limit(PUT_OFF_MAX).toArray();
    if (rows.length === 0) return { all: new Set(), waiting: [] };
    const now = await this.store.about();
    return {
      all: new Set(rows.map(({ row }) => row)),
      waiting: rows.flatMap(({ row, next_at }) => (next_at > now ? row : [])),
    };
  }
}

const groupsOf = <Row>(rows: readonly Row[], most: number, isAlone: (row: Row) => boolean): Row[][] => {
  const groups: Row[][] = [];
  let open: Row[] = [];
  for (const row of rows) {
    if (isAlone(row)) {
      groups.push([row]);
      continue;
    }
    if (open.length === 0) groups.push(open);
    open.push(row);
    if (open.length === most) open = [];
  }
  return groups;
};

const putOffId = (sweep: string, row: string): string => `${sweep}|${row}`;

export const stepping = (without: readonly string[]): { _id?: { $nin: string[] } } =>
  without.length === 0 ? {} : { _id: { $nin: [...without] } };
