import { type Input, type Output, operationByName, type ServiceName, unavailable } from '@cds/contracts';
import type { Ctx } from '../bus/context.js';
import type { Bound } from '../process/dispatch.js';
import type { Collection } from '../store/collection.js';
import { inTx, type Tx } from '../store/in-tx.js';
import type { Store } from '../store/store.js';

/**
 * The newest reset of a sandbox, by workspace, as this service knows it. `over` once nothing more may be removed;
 * `removals` changes with each removal.
 */
type ResetRow = { _id: string; number: number; at: Date; seed: number; over: boolean; removals?: number };

/** What a service removes when a sandbox is reset. */
export type ResetParts = {
  /** The collections whose documents of the workspace (`ws`) are removed. */
  collections: readonly string[];
  /** What is changed and not removed, in the same transaction. */
  also?: (tx: Tx, ws: string) => Promise<void>;
};

/** How long after its commit an event is late: none that arrives sooner can be of before a reset that is over. */
const LATE_MS = 1_000;

/**
 * The resets of sandboxes, as one service keeps them (docs/reliability.md#sandbox-resets). Whatever was asked for,
 * decided or said at or before `at` is of before the reset.
 */
export class SandboxResets {
  private readonly rows: Collection<ResetRow>;

  constructor(private readonly store: Store) {
    this.rows = store.collection<ResetRow>({ name: 'sandbox_resets' });
  }

  /** Takes note of a reset; one that is known, or older than a known one, changes nothing. */
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
   * Removes what a sandbox holds, unless the reset is over or a newer one has begun. The reset's own row changes with
   * it, so that no removal is committed after the end of the reset.
   */
  async remove(
    { workspace, number }: Pick<Input<'billing_sandbox_reset'>, 'workspace' | 'number'>,
    parts: ResetParts,
    ctx: Pick<Ctx, 'deadline'>,
  ): Promise<number> {
    return inTx(this.store, ctx.deadline, async (tx) => {
      const open = { _id: workspace, number, over: false };
      const held = await this.rows.updateOne(open, { $inc: { removals: 1 } }, tx.options());
      if (held.matchedCount === 0) return 0;
      let removed = 0;
      for (const name of parts.collections) {
        const rows = this.store.db.collection<{ _id: string; ws: string }>(name);
        removed += (await rows.deleteMany({ ws: workspace }, tx.options())).deletedCount;
      }
      await parts.also?.(tx, workspace);
      return removed;
    });
  }

  /** Ends a reset at `at`: nothing more is removed under its number, and what was said until then is of before it. */
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

  /**
   * Whether an event is of before the newest reset of its sandbox. Only a late one can be, so only a late one is looked
   * up: while a reset runs, its rounds wait for all others.
   */
  async isOver(workspace: string, committedAt: Date): Promise<boolean> {
    if ((await this.store.about()).getTime() - committedAt.getTime() < LATE_MS) return false;
    const row = await this.rows.findOne({ _id: workspace });
    return row !== null && committedAt <= row.at;
  }
}

/** What the reset of a sandbox depends on in one service. */
export type ResetDeps = {
  resets: SandboxResets;
  /** How many writes of a sandbox are running in any replica. */
  running: (workspace: string) => Promise<number>;
};

/** Binds the operation by which the gateway resets a sandbox in this service; the gateway has none on the bus. */
export const bindResetOperation = (
  service: ServiceName,
  { resets, running }: ResetDeps,
  parts: ResetParts,
): Map<string, Bound> => {
  const operation = operationByName(`${service}_sandbox_reset`);
  const run = async (ctx: Ctx, input: Input<'billing_sandbox_reset'>): Promise<Output<'billing_sandbox_reset'>> => {
    await resets.begin(input);
    if (input.ends) {
      await resets.end(input);
      return { removed: 0, running: 0 };
    }
    // Counted after the reset is known: a write that is not counted yet finds the reset and ends.
    const left = await running(input.workspace);
    return { removed: left > 0 ? 0 : await resets.remove(input, parts, ctx), running: left };
  };
  return new Map(operation === undefined ? [] : [[operation.name, { operation, run: run as Bound['run'] }]]);
};
