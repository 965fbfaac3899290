import { AppError } from '@cds/contracts';
import type { Logger } from 'pino';
import { isDatabaseAway } from '../store/away.js';
import type { Collection } from '../store/collection.js';
import { LostRace } from '../store/lost-race.js';
import type { Store } from '../store/store.js';
import { upserted } from '../store/upserted.js';
import { counterOf } from '../telemetry/counter.js';

/**
 * What became of a row: how many facts were handled; none when it cannot move on yet, so that it is put off; or
 * `settled` when there was nothing left to do, or the row itself says when it is due again.
 */
export type RowOutcome = number | 'settled';

/** The rows of one sweep: how they are found, and what is done with each. */
export type RowSweep<Row> = {
  name: string;
  /** One page of what is due, in order, without the ids named. An empty page ends the run. */
  find: (without: readonly string[]) => Promise<readonly Row[]>;
  idOf: (row: Row) => string;
  handle: (row: Row) => Promise<RowOutcome>;
  /** A row that was handled may be due again at once, for its next fact. */
  repeats?: boolean;
  /** How many rows are handled side by side; one unless stated. */
  atOnce?: number;
  /** What may be logged of an error; for rows that hold personal data. */
  loggable?: (error: unknown) => unknown;
};

/** `kept`: rows that were put off are left alone until their time. `ignored`: an advanced clock asks for all of them. */
export type Pauses = 'kept' | 'ignored';

/** A row of a sweep that could not be handled, and when any replica tries it again. */
type PutOff = { _id: string; sweep: string; row: string; failures: number; waits: number; next_at: Date };

const FIRST_PAUSE_MS = 1_000;
/** The longest pause of a row that raised an error, that waits for something else, and that waits for a service. */
const FAILED_PAUSE_MS = 300_000;
const WAITING_PAUSE_MS = 60_000;
const AWAY_PAUSE_MS = 5_000;
/** After so many failures on end a person is told, and again with each further one. */
const ALARM_AFTER = 5;
/** A turn ends after this time; the rest waits for the next, and a stop is not held up. An advanced clock has no next. */
const RUN_MS = 10_000;
/** How often a row that others change at the same moment is taken again within a run. */
const RACES = 3;
/** How many rows of one sweep are stepped over at most. */
const PUT_OFF_MAX = 10_000;
/** The note on a row that nobody tried for so long is forgotten. */
const FORGOTTEN_AFTER_S = 7 * 86_400;

const failures = counterOf('cds_sweep_row_failures', 'Rows of sweeps that raised an error and are tried again');
const waits = counterOf('cds_sweep_row_waits', 'Rows of sweeps that could not move on yet and are tried again');

/**
 * Handles the rows of a sweep one by one, so that none of them stops or starves the others: a row that fails is put off,
 * counted, reported and tried again after a growing pause. The pauses are stored, so every replica steps over it.
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

  /** Handles what is due, page by page, and answers how many facts that were. Raises when the database is away. */
  async run<Row>(sweep: RowSweep<Row>, pauses: Pauses): Promise<number> {
    const end = pauses === 'kept' ? performance.now() + RUN_MS : Number.POSITIVE_INFINITY;
    const noted = await this.notedOf(sweep.name);
    const stepOver = new Set(pauses === 'kept' ? noted.waiting : []);
    const races = new Map<string, number>();
    let handled = 0;

    const one = async (row: Row): Promise<void> => {
      const id = sweep.idOf(row);
      if (stepOver.has(id)) return;
      const outcome = await this.attempt(sweep, row, id);
      if (outcome === 'raced') {
        const lost = (races.get(id) ?? 0) + 1;
        races.set(id, lost);
        if (lost < RACES) return;
        // Another replica is at it; counted as handled, so that an advanced clock looks again.
        handled += 1;
        stepOver.add(id);
        return;
      }
      if (typeof outcome === 'number') handled += outcome;
      if (outcome === 'put off' || outcome === 'settled' || sweep.repeats !== true) stepOver.add(id);
      if (outcome !== 'put off' && noted.all.delete(id)) await this.rows.deleteOne({ _id: noteId(sweep.name, id) });
    };

    while (performance.now() < end) {
      const page = await sweep.find([...stepOver]);
      if (page.length === 0) break;
      const left = page.values();
      const worker = async () => {
        for (const row of left) if (performance.now() < end) await one(row);
      };
      await Promise.all(Array.from({ length: sweep.atOnce ?? 1 }, worker));
    }
    return handled;
  }

  private async attempt<Row>(sweep: RowSweep<Row>, row: Row, id: string): Promise<RowOutcome | 'raced' | 'put off'> {
    try {
      const outcome = await sweep.handle(row);
      if (outcome !== 0) return outcome;
      await this.putOff(sweep.name, id, 'waits', WAITING_PAUSE_MS);
    } catch (error) {
      if (error instanceof LostRace) return 'raced';
      await this.report(sweep, id, error);
    }
    return 'put off';
  }

  /** Puts a row off for its error. That the database is away shows here too: then nothing is noted and the run ends. */
  private async report<Row>({ name, loggable }: RowSweep<Row>, row: string, error: unknown): Promise<void> {
    const facts = { err: loggable === undefined ? error : loggable(error), sweep: name, row };
    if (isDatabaseAway(error) || (error instanceof AppError && error.code !== 'internal')) {
      const away = !(error instanceof AppError) || error.code === 'unavailable';
      await this.putOff(name, row, 'waits', away ? AWAY_PAUSE_MS : WAITING_PAUSE_MS);
      this.log.info(facts, 'a row of a sweep cannot be handled yet; it is tried again');
      return;
    }
    const failed = await this.putOff(name, row, 'failures', FAILED_PAUSE_MS);
    if (failed < ALARM_AFTER) this.log.warn({ ...facts, failed }, 'a row of a sweep failed; it is tried again');
    else this.log.error({ ...facts, failed, alarm: 'sweep_row_stuck' }, 'a row of a sweep fails again and again');
  }

  /** Notes when a row is tried again, each time after twice the pause, and answers how often it was put off so. */
  private async putOff(sweep: string, row: string, kind: 'failures' | 'waits', longestMs: number): Promise<number> {
    (kind === 'failures' ? failures : waits).add(1, { sweep });
    const before = { $ifNull: [`$${kind}`, 0] };
    const pause = { $min: [longestMs, { $multiply: [FIRST_PAUSE_MS, { $pow: [2, { $min: [before, 20] }] }] }] };
    const set = { sweep, row: { $literal: row }, [kind]: { $add: [before, 1] }, next_at: { $add: ['$$NOW', pause] } };
    const after = await upserted(() =>
      this.rows.findOneAndUpdate({ _id: noteId(sweep, row) }, [{ $set: set }], {
        upsert: true,
        returnDocument: 'after',
      }),
    );
    return after?.[kind] ?? 1;
  }

  private async notedOf(sweep: string): Promise<{ all: Set<string>; waiting: string[] }> {
    const noted = await this.rows.find({ sweep }).sort({ next_at: -1 }).limit(PUT_OFF_MAX).toArray();
    if (noted.length === 0) return { all: new Set(), waiting: [] };
    const now = await this.store.about();
    return {
      all: new Set(noted.map(({ row }) => row)),
      waiting: noted.flatMap(({ row, next_at }) => (next_at > now ? row : [])),
    };
  }
}

const noteId = (sweep: string, row: string): string => `${sweep}|${row}`;

/** A filter's part that steps over these ids. */
export const stepping = (without: readonly string[]): { _id?: { $nin: string[] } } =>
  without.length === 0 ? {} : { _id: { $nin: [...without] } };
