import { type Collection, type Store, stepping, type Tx } from '@cds/service';

/**
 * A reset of a sandbox, and the next step of it. `at` is when its writes had ended, `ended_at` when nothing of before
 * was left; both are database time, and the same for every runner. `until` is a courtesy to other runners.
 */
export type ResetRow = {
  _id: string;
  ws: string;
  number: number;
  seed: number;
  step: number;
  done: boolean;
  at: Date | null;
  ended_at: Date | null;
  until: Date;
};

/** How long a runner is waited for after its last step, in milliseconds. */
const RUNNER_MS = 10_000;

/** The resets of sandboxes; `_id` is the command that asked for it (docs/reliability.md#sandbox-resets). */
export class Resets {
  private readonly rows: Collection<ResetRow>;

  constructor(store: Store) {
    this.rows = store.collection<ResetRow>({
      name: 'resets',
      indexes: [{ key: { until: 1 }, partialFilterExpression: { done: false } }],
    });
  }

  async byCommand(ws: string, commandId: string): Promise<ResetRow | null> {
    return this.rows.findOne({ _id: commandId, ws });
  }

  async insert(tx: Tx, row: Omit<ResetRow, 'step' | 'done' | 'at' | 'ended_at' | 'until'>, now: Date): Promise<void> {
    const until = new Date(now.getTime() + RUNNER_MS);
    await this.rows.insertOne({ ...row, step: 0, done: false, at: null, ended_at: null, until }, tx.options());
  }

  /** Sets an instant to database time, unless a runner has set it, and returns it. */
  async stamp({ _id }: ResetRow, which: 'at' | 'ended_at'): Promise<Date> {
    const row = await this.rows.findOneAndUpdate(
      { _id },
      [{ $set: { [which]: { $ifNull: [`$${which}`, '$$NOW'] } } }],
      { returnDocument: 'after' },
    );
    const at = row?.[which];
    if (at == null) throw new Error('a reset is gone while it runs');
    return at;
  }

  /** Notes that a step is done, unless a runner has noted it, and returns the reset as it is then. */
  async stepDone({ _id, step }: ResetRow): Promise<ResetRow> {
    const row = await this.rows.findOneAndUpdate(
      { _id },
      [{ $set: { step: { $max: ['$step', step + 1] }, until: { $add: ['$$NOW', RUNNER_MS] } } }],
      { returnDocument: 'after' },
    );
    if (row === null) throw new Error('a reset is gone while it runs');
    return row;
  }

  /** Ends a reset; false when a runner has ended it. */
  async finish(tx: Tx, { _id }: ResetRow): Promise<boolean> {
    const done = await this.rows.updateOne({ _id, done: false }, { $set: { done: true } }, tx.options());
    return done.matchedCount === 1;
  }

  /** Resets that nobody seems to run, of one workspace or of all. */
  unfinished(only: string | null, without: readonly string[]): Promise<ResetRow[]> {
    return this.rows
      .find({
        ...stepping(without),
        ...(only === null ? {} : { ws: only }),
        done: false,
        $expr: { $lt: ['$until', '$$NOW'] },
      })
      .limit(20)
      .toArray();
  }
}
