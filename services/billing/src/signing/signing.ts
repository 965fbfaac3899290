import { AppError, unavailable, type Verdict } from '@cds/contracts';
import { type Ctx, counterOf, idempotencyConflict, inProgress, type Outcome } from '@cds/service';
import type { Dependencies } from '../dependencies.js';
import type { AuthorityView, Caps, Hold } from '../domain/authority.js';

/**
 * The states of one signing (docs/reliability.md#authority, docs/reliability.md#signing); the README draws them, and
 * `tableOf` below says how each is left. The approve takes every step. A retry of its key and the recovery worker take
 * those from `refusal_held` and `undecided` on, once the approve went silent. Every statement is keyed by signing or
 * order, so two runners of one signing end in the same place.
 */
export type Signing =
  | Agreed
  | Rejected
  | Existing
  | RefusalHeld
  | Reserved
  | Confirmed
  | Undecided
  | Decided
  | Ordered
  | Ended
  | BeginAgain;

export type Agreed = { state: 'agreed'; wanted: Hold; view: AuthorityView; caps: Caps };
export type Rejected = { state: 'rejected'; wanted: Hold; view: AuthorityView };
/** The command has another hold already. `now` is database time. */
export type Existing = { state: 'existing'; hold: Hold; now: Date };
/** The hold of a refusal: it alone entitles its runner to store the refusal. */
export type RefusalHeld = { state: 'refusal_held'; hold: Hold };
export type Reserved = { state: 'reserved'; hold: Hold };
/** The cents are held under the brand terms in force, and the command has no answer yet. */
export type Confirmed = { state: 'confirmed'; hold: Hold };
export type Undecided = { state: 'undecided'; hold: Hold };
export type Decided = { state: Verdict['kind']; hold: Hold; verdict: Verdict };
/** The order exists. `outcome` is null when another runner wrote it. */
export type Ordered = { state: 'ordered'; hold: Hold; outcome: Outcome | null };
export type Ended = { state: 'ended'; outcome: Outcome | null };
export type BeginAgain = { state: 'begin_again' };

export const ended = (outcome: Outcome | null): Ended => ({ state: 'ended', outcome });
export const BEGIN_AGAIN: BeginAgain = { state: 'begin_again' };

export type Runner = 'approve' | 'recovery';

export const APPROVE_PLAN = 'approve_plan';

export const commandOf = (ctx: Ctx): { id: string; fp: string } => {
  if (ctx.command === null) throw new Error('an approve came without its command');
  return ctx.command;
};

/** Another run or the recovery worker may finish the hold, under the hold's own command. */
export const underCommand = (ctx: Ctx, hold: Hold): Ctx => ({
  ...ctx,
  command: { id: hold.command_id, fp: hold.command_fp },
});

type Running = Exclude<Signing, Ended | BeginAgain>;

type Row<At> = {
  /** Where fault tests stop a runner that is about to leave. */
  stops?: Partial<Record<Runner, readonly string[]>>;
  leave: (ctx: Ctx, at: At, by: Runner) => Promise<Signing>;
  counts?: 'ordered' | 'refused' | 'closed';
};
type Table = { [State in Running['state']]: Row<Running & { state: State }> };

const VERDICT = { approve: ['sign.verdict_received'] };
const ORDER = { approve: ['sign.order_written'], recovery: ['sign.order_written'] };

type Holds = {
  reserve(ctx: Ctx, agreed: Agreed): Promise<Signing>;
  holdRefusal(ctx: Ctx, rejected: Rejected): Promise<Signing>;
  renewing(hold: Hold): () => void;
};
type Steps = {
  stored(ctx: Ctx): Promise<Outcome | null>;
  storeHeldRefusal(by: Runner, ctx: Ctx, hold: Hold): Promise<Signing>;
  confirm(ctx: Ctx, hold: Hold): Promise<Signing>;
  askPlanning(ctx: Ctx, hold: Hold): Promise<Signing>;
  closeAtPlanning(ctx: Ctx, hold: Hold): Promise<Decided>;
  storeVerdict(ctx: Ctx, decided: Decided): Promise<Signing>;
  release(hold: Hold): Promise<void>;
  cleanUp(by: Runner, hold: Hold): Promise<void>;
};
type Orders = { write(ctx: Ctx, decided: Decided): Promise<Ordered> };

const tableOf = (holds: Holds, steps: Steps, orders: Orders, signings: SigningMachine): Table => ({
  agreed: { stops: { approve: ['sign.before_reserve'] }, leave: (ctx, at) => holds.reserve(ctx, at) },
  rejected: { leave: (ctx, at) => holds.holdRefusal(ctx, at) },
  existing: {
    leave: async (ctx, at) => {
      await signings.resolveExisting(ctx, at.hold, at.now);
      return BEGIN_AGAIN;
    },
  },
  refusal_held: {
    stops: { approve: ['sign.refusal_held'] },
    leave: (ctx, at, by) => steps.storeHeldRefusal(by, ctx, at.hold),
    counts: 'refused',
  },
  reserved: { leave: (ctx, at) => steps.confirm(ctx, at.hold) },
  confirmed: {
    stops: { approve: ['sign.reserved', 'sign.request_late'] },
    leave: (ctx, at) => steps.askPlanning(ctx, at.hold),
  },
  undecided: {
    leave: async (ctx, at, by) => {
      if (by === 'recovery') return steps.closeAtPlanning(ctx, at.hold);
      await signings.recover(ctx, at.hold);
      return ended(null);
    },
  },
  signed: { stops: VERDICT, leave: (ctx, at) => orders.write(ctx, at) },
  refused: { stops: VERDICT, leave: (ctx, at) => steps.storeVerdict(ctx, at), counts: 'refused' },
  closed: {
    stops: VERDICT,
    leave: async (_ctx, at) => {
      await steps.release(at.hold);
      return ended(null);
    },
    counts: 'closed',
  },
  ordered: {
    stops: ORDER,
    leave: async (_ctx, at, by) => {
      await steps.cleanUp(by, at.hold);
      return ended(at.outcome);
    },
    counts: 'ordered',
  },
});

const ends = counterOf('cds_signings_total');

export class SigningMachine {
  private readonly table: Table;

  constructor(
    private readonly holds: Holds,
    private readonly steps: Steps,
    orders: Orders,
    private readonly failpoints: Dependencies['failpoints'],
  ) {
    this.table = tableOf(holds, steps, orders, this);
  }

  async approve(ctx: Ctx, start: Agreed | Rejected): Promise<Outcome | 'begin_again'> {
    const end = await this.run('approve', ctx, start);
    if (end.state === 'begin_again') return 'begin_again';
    if (end.outcome !== null) return end.outcome;
    // Another run may have ended this signing, or a later one of its key: the answer is then in the commands row.
    const stored = await this.steps.stored(ctx);
    if (stored !== null) return stored;
    throw unavailable('The plan was not signed. Retry with the same Idempotency-Key.', 1);
  }

  /** Never starts a signature. Raises when planning or the database does not answer; the hold then stays. */
  async recover(ctx: Ctx, hold: Hold): Promise<void> {
    await this.run('recovery', ctx, { state: hold.refusal === undefined ? 'undecided' : 'refusal_held', hold });
  }

  /** Planning closes the signing or repeats its verdict, which is final. Raises when it does not answer. */
  close(ctx: Ctx, hold: Hold): Promise<Decided> {
    return this.steps.closeAtPlanning(ctx, hold);
  }

  async finish(ctx: Ctx, decided: Decided): Promise<void> {
    await this.run('recovery', ctx, decided);
  }

  /**
   * Refuses another request under the same Idempotency-Key, answers in_progress while a runner renews the hold or
   * planning is unavailable, and otherwise finishes the hold.
   */
  async resolveExisting(ctx: Ctx, hold: Hold, now: Date): Promise<void> {
    if (hold.command_fp !== ctx.command?.fp) throw idempotencyConflict();
    if (hold.until >= now) throw inProgress();
    try {
      await this.recover(ctx, hold);
    } catch (error) {
      if (error instanceof AppError && error.code === 'unavailable') throw inProgress();
      throw error;
    }
  }

  private async run(by: Runner, ctx: Ctx, start: Signing): Promise<Ended | BeginAgain> {
    let stopRenewing: (() => void) | undefined;
    try {
      for (let at = start; ; ) {
        if (at.state === 'ended' || at.state === 'begin_again') return at;
        if (at.state === 'reserved') stopRenewing = this.holds.renewing(at.hold);
        const { stops, leave, counts } = this.table[at.state] as Row<Running>;
        await this.stop(stops?.[by] ?? []);
        const next = await leave(ctx, at, by);
        // An order that another runner wrote is counted there.
        const isOurs = at.state !== 'ordered' || at.outcome !== null;
        if (next.state === 'ended' && counts !== undefined && isOurs) ends.add(1, { outcome: counts, by });
        at = next;
      }
    } finally {
      stopRenewing?.();
    }
  }

  /** Dies, fails or waits at armed failpoints; only tests arm them. */
  private async stop(points: readonly string[]): Promise<void> {
    for (const point of points) this.failpoints.hit(point);
    if (!points.includes('sign.request_late')) return;
    // A test may arm the second wait during the first.
    await this.failpoints.pause('sign.request_late');
    await this.failpoints.pause('sign.request_late');
  }
}
