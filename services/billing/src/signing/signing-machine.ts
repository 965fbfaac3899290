import { AppError, unavailable } from '@cds/contracts';
import { type Ctx, counterOf, idempotencyConflict, inProgress, type Outcome } from '@cds/service';
import type { Hold } from '../domain/authority.js';
import type { HoldManager } from './hold-manager.js';
import type { OrderWriter } from './order-writer.js';
import {
  type Agreed,
  BEGIN_AGAIN,
  type BeginAgain,
  type Checkpoint,
  type Decided,
  type Ended,
  ended,
  type Rejected,
  type Runner,
  type Signing,
} from './states.js';
import type { SigningSteps } from './steps.js';

const signings = counterOf('cds_signings_total');

/** Takes a signing from state to state; `states.ts` draws them. */
export class SigningMachine {
  constructor(
    private readonly holds: HoldManager,
    private readonly steps: SigningSteps,
    private readonly orders: OrderWriter,
    private readonly checkpoint: Checkpoint,
  ) {}

  /** Takes an approve from step 0 to its answer, or back to step 0. Raises unavailable when there is no answer yet. */
  async approve(ctx: Ctx, start: Agreed | Rejected): Promise<Outcome | 'begin_again'> {
    const end = await this.run('approve', ctx, start);
    if (end.state === 'begin_again') return 'begin_again';
    if (end.outcome !== null) return end.outcome;
    // Another run may have ended this signing, or a later one of its key: the answer is then in the commands row.
    const stored = await this.steps.stored(ctx);
    if (stored !== null) return stored;
    throw unavailable('The plan was not signed. Retry with the same Idempotency-Key.', 1);
  }

  /**
   * Finishes a hold without ever starting a signature. Raises when planning or the database does not answer; the hold
   * then stays for the next caller.
   */
  async recover(ctx: Ctx, hold: Hold): Promise<void> {
    await this.run('recovery', ctx, { state: hold.refusal === undefined ? 'undecided' : 'refusal_held', hold });
  }

  /** Has planning close a signing or repeat its verdict, which is final either way. Raises when it does not answer. */
  close(ctx: Ctx, hold: Hold): Promise<Decided> {
    return this.steps.closeAtPlanning(ctx, hold);
  }

  /** Brings a signing with its verdict to its end. */
  async finish(ctx: Ctx, decided: Decided): Promise<void> {
    await this.run('recovery', ctx, decided);
  }

  /**
   * Deals with an existing hold of the command: refuses another request under the same Idempotency-Key, answers
   * in_progress while a runner renews the hold or planning is unavailable, and otherwise finishes it.
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
        await this.checkpoint(by, at.state);
        const next = await this.step(by, ctx, at);
        if (next.state === 'ended') noteEnd(by, at);
        at = next;
      }
    } finally {
      stopRenewing?.();
    }
  }

  /** Takes the one step that leaves a state. */
  private async step(by: Runner, ctx: Ctx, at: Exclude<Signing, Ended | BeginAgain>): Promise<Signing> {
    const { holds, steps } = this;
    switch (at.state) {
      case 'agreed':
        return holds.reserve(ctx, at);
      case 'rejected':
        return holds.holdRefusal(ctx, at);
      case 'existing':
        await this.resolveExisting(ctx, at.hold, at.now);
        return BEGIN_AGAIN;
      case 'refusal_held':
        return steps.storeHeldRefusal(by, ctx, at.hold);
      case 'reserved':
        return steps.confirm(ctx, at.hold);
      case 'confirmed':
        return steps.askPlanning(ctx, at.hold);
      case 'undecided':
        if (by === 'recovery') return steps.closeAtPlanning(ctx, at.hold);
        await this.recover(ctx, at.hold);
        return ended(null);
      case 'signed':
        return this.orders.write(ctx, at);
      case 'refused':
        return steps.storeVerdict(ctx, at);
      case 'closed':
        await steps.release(at.hold);
        return ended(null);
      case 'ordered':
        await steps.cleanUp(by, at.hold);
        return ended(at.outcome);
    }
  }
}

/** Counts a signing that this runner brought to its end; an order that another one wrote is counted there. */
const noteEnd = (by: Runner, last: Signing): void => {
  switch (last.state) {
    case 'ordered':
      if (last.outcome !== null) signings.add(1, { outcome: 'ordered', by });
      return;
    case 'refused':
    case 'refusal_held':
      signings.add(1, { outcome: 'refused', by });
      return;
    case 'closed':
      signings.add(1, { outcome: 'closed', by });
      return;
    default:
  }
};
