import { type Input, unavailable } from '@cds/contracts';
import type { Ctx } from '../bus/context.js';
import type { Deadline } from '../deadline/deadline.js';
import type { Collection } from '../store/collection.js';
import { inTx, type Tx } from '../store/in-tx.js';
import type { Store } from '../store/store.js';

/** The newest reset of a sandbox. `over`: nothing more may be removed; `removals` changes with each removal. */
type ResetRow = { _id: string; number: number; at: Date; seed: number; over: boolean; removals?: number };

export type ResetParts = {
  /** The collections whose documents of the workspace (`ws`) are removed: all, or those with the fields of `only`. */
  collections: readonly (string | { name: string; only: Readonly<Record<string, string>> })[];
  also?: (tx: Tx, ws: string) => Promise<void>;
  /** How many writes of a sandbox run without a row of their command, in any replica. */
  running?: (ws: string) => Promise<number>;
};

/** How many documents one transaction removes: far fewer than one try has time for, however large the sandbox is. */
const REMOVED_AT_ONCE = 2_000;
const ONE_REMOVAL_MS = 1_000;

/** How long after its commit an event counts as late: an earlier one cannot be from before a reset that has ended. */
const LATE_MS = 1_000;

/** Whatever was asked for or reported at or before `at` is before the reset (docs/reliability.md#sandbox-resets). */
export class SandboxResets {
  private readonly rows: Collection<ResetRow>;

  constructor(private readonly store: Store) {
    this.rows = store.collection<ResetRow>({ name: 'sandbox_resets' });
  }

  async begin({ workspace, number, at, seed }: Omit<Input<'billing_sandbox_reset'>, 'ends'>): Promise<void> {
    const isNewer = { $lt: [{ $ifNull: ['$number', 0] }, number] };
    const unlessKnown = (field: string, value: unknown) => ({ $cond: [isNewer, value, field] });
    await this.rows.updateOne(
      { _id: workspace },
      [
        {
          $set: {
            at: unlessKnown('$at', new Date(at)),
            seed: unlessKnown('$seed', seed),
            over: unlessKnown('$over', false),
            number: unlessKnown('$number', number),
          },
        },
      ],
      { upsert: true },
    );
  }

  /**
   * Removes what a sandbox holds, unless a newer reset has begun, and returns how many documents. Each transaction
   * changes the reset's own row, so none commits after its end. Raises unavailable when the time is short.
   */
  async remove(
    reset: Pick<Input<'billing_sandbox_reset'>, 'workspace' | 'number'>,
    parts: ResetParts,
    { deadline }: Pick<Ctx, 'deadline'>,
  ): Promise<number> {
    let removed = 0;
    for (;;) {
      const some = await this.removeSome(reset, parts, deadline);
      removed += some;
      if (some < REMOVED_AT_ONCE) return removed;
      if (deadline.remainingMs() < ONE_REMOVAL_MS)
        throw unavailable('The reset is still running. Retry with the same Idempotency-Key.', 1);
    }
  }

  private removeSome(
    { workspace, number }: Pick<Input<'billing_sandbox_reset'>, 'workspace' | 'number'>,
    parts: ResetParts,
    deadline: Deadline,
  ): Promise<number> {
    return inTx(this.store, deadline, async (tx) => {
      const open = { _id: workspace, number, over: false };
      const held = await this.rows.updateOne(open, { $inc: { removals: 1 } }, tx.options());
      if (held.matchedCount === 0) return 0;
      let removed = 0;
      for (const part of parts.collections) {
        const { name, only } = typeof part === 'string' ? { name: part, only: {} } : part;
        const rows = this.store.db.collection<{ _id: string; ws: string }>(name);
        const found = await rows
          .find({ ws: workspace, ...only }, { projection: { _id: 1 }, ...tx.options() })
          .limit(REMOVED_AT_ONCE - removed)
          .toArray();
        const _id = { $in: found.map((row) => row._id) };
        removed += (await rows.deleteMany({ ws: workspace, _id }, tx.options())).deletedCount;
        if (removed >= REMOVED_AT_ONCE) return removed;
      }
      await parts.also?.(tx, workspace);
      return removed;
    });
  }

  /** Ends a reset at `at`: nothing more is removed, and what was reported until then counts as before it. */
  async end({ workspace, number, at }: Omit<Input<'billing_sandbox_reset'>, 'ends'>): Promise<void> {
    await this.rows.updateOne({ _id: workspace, number }, { $set: { over: true }, $max: { at: new Date(at) } });
  }

  /** The seed of a sandbox's creators; null before its first reset. */
  async seedOf(workspace: string): Promise<number | null> {
    return (await this.rows.findOne({ _id: workspace }))?.seed ?? null;
  }

  /** Raises unavailable for a write that was asked for before the newest reset of its sandbox. */
  async mustBeAfter({ principal, networkNow }: Pick<Ctx, 'principal' | 'networkNow'>): Promise<void> {
    const row = await this.rows.findOne({ _id: principal.workspace });
    if (row !== null && networkNow <= row.at)
      throw unavailable('This sandbox was reset meanwhile. Send the request again.', 1);
  }

  /** Only a late event can be from before the reset, since its rounds wait for all others: only those are looked up. */
  async areOver(events: readonly { workspace: string; committedAt: Date }[]): Promise<boolean[]> {
    const now = (await this.store.about()).getTime();
    const isLate = ({ committedAt }: { committedAt: Date }) => now - committedAt.getTime() >= LATE_MS;
    const workspaces = new Set(events.filter(isLate).map(({ workspace }) => workspace));
    if (workspaces.size === 0) return events.map(() => false);
    const rows = await this.rows.find({ _id: { $in: [...workspaces] } }).toArray();
    const resets = new Map(rows.map(({ _id, at }) => [_id, at]));
    return events.map((event) => {
      const at = resets.get(event.workspace);
      return at !== undefined && isLate(event) && event.committedAt <= at;
    });
  }
}
