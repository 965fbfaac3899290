import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { AppError, unavailable } from '@cds/contracts';
import { type Ctx, idempotencyConflict, RefusedWith, type Tx } from '@cds/service';
import type { Dependencies } from '../dependencies.js';
import { type AuthorityView, accountOf, type Hold, holdOf, lacksMonth, missOf } from '../domain/authority.js';
import { HOLD_MS, MAX_HOLDS, RENEW_MS, SIGNING_RESERVE_MS } from '../domain/constants.js';
import type { Authorities, AuthorityRead } from '../store/authority.js';
import type { PayTokens } from './pay-tokens.js';
import {
  type Agreed,
  BEGIN_AGAIN,
  type BeginAgain,
  type Existing,
  type RefusalHeld,
  type Rejected,
  type Reserved,
} from './signing.js';

export type HoldDependencies = Pick<Dependencies, 'store' | 'log'> & { authorities: Authorities; tokens: PayTokens };

const FIRST_PAUSE_MS = 4;
const LONGEST_PAUSE_MS = 250;

/** Database time as last read, carried on by this process's monotonic clock. */
type DatabaseClock = { at: Date; read: number };
const clockOf = (view: AuthorityView): DatabaseClock => ({ at: view.now, read: performance.now() });
const untilOf = (clock: DatabaseClock): Date =>
  new Date(clock.at.getTime() + (performance.now() - clock.read) + HOLD_MS);

/** Each reserves an approve's cents, or 0 for a refusal, and is its lease (docs/reliability.md#authority). */
export class HoldManager {
  constructor(private readonly deps: HoldDependencies) {}

  async view(ctx: Ctx): Promise<AuthorityRead> {
    const { workspace } = ctx.principal;
    const key = accountOf(ctx.principal).document;
    const found = await this.deps.authorities.view(workspace, key);
    if (found !== null) return found;
    await this.deps.authorities.ensure(workspace, key);
    const made = await this.deps.authorities.view(workspace, key);
    if (made === null) throw new Error(`the authority of key ${key} is not of workspace ${workspace}`);
    return made;
  }

  /**
   * Waits for approvals that have not finished; when the cap is spent, the approve begins again. Raises unavailable for
   * a newer mandate or an ended right, for too many holds, or when the wait would outlast the deadline.
   */
  async reserve(ctx: Ctx, { wanted, view, caps }: Agreed): Promise<Reserved | Existing | BeginAgain> {
    const { authorities } = this.deps;
    const account = accountOf(ctx.principal);
    let clock = clockOf(view);
    let hold = wanted;
    if (lacksMonth(view, hold.month, account.child)) await authorities.ensureMonth(view.authority, account, hold.month);
    for (let tries = 0; ; tries += 1) {
      ctx.deadline.check();
      hold = { ...hold, until: untilOf(clock) };
      const attempt = await authorities.reserve(hold, account.document, caps, ctx.deadline);
      if (attempt === 'done') return { state: 'reserved', hold };

      const seen = await this.view(ctx);
      clock = clockOf(seen);
      const miss = missOf(seen, hold, caps);
      switch (miss.kind) {
        case 'mine':
          return { state: 'reserved', hold };
        case 'own_command':
          return { state: 'existing', hold: miss.hold, now: seen.now };
        case 'gate':
          throw unavailable(
            'The mandate, or something else that this approval stands on, has just changed or ended. Retry with the same Idempotency-Key.',
            1,
          );
        case 'full':
          throw tooMany();
        case 'over_cap':
          return BEGIN_AGAIN;
        case 'no_month':
          await authorities.ensureMonth(seen.authority, account, hold.month);
          break;
        case 'wait':
        case 'again':
          await this.pause(ctx, tries);
          break;
      }
      // A statement that the database did not confirm may still land, so this approve continues under a new signing.
      if (attempt === 'unknown') hold = this.anotherSigning(hold);
    }
  }

  /** Only the runner that has this hold stores the refusal. */
  async holdRefusal(ctx: Ctx, { wanted, view }: Rejected): Promise<RefusalHeld | Existing> {
    const { document } = accountOf(ctx.principal);
    let clock = clockOf(view);
    let hold = wanted;
    for (let tries = 0; ; tries += 1) {
      ctx.deadline.check();
      hold = { ...hold, until: untilOf(clock) };
      const attempt = await this.deps.authorities.holdRefusal(hold, document, ctx.deadline);
      if (attempt === 'done') return { state: 'refusal_held', hold };

      const seen = await this.view(ctx);
      clock = clockOf(seen);
      const existing = holdOf(seen, hold.command_id);
      if (existing?.signing_id === hold.signing_id) return { state: 'refusal_held', hold };
      if (attempt === 'unknown') hold = this.anotherSigning(hold);
      if (existing !== undefined) return { state: 'existing', hold: existing, now: seen.now };
      if (seen.authority.holds.length >= MAX_HOLDS) throw tooMany();
      await this.pause(ctx, tries);
    }
  }

  renewing(hold: Hold): () => void {
    const { store, log, authorities } = this.deps;
    const timer = setInterval(() => {
      store
        .now()
        .then((now) => authorities.renew(hold, accountOf(hold.principal).document, new Date(now.getTime() + HOLD_MS)))
        .catch((error: unknown) => log.warn({ err: error }, 'a hold could not be renewed'));
    }, RENEW_MS);
    timer.unref();
    return () => clearInterval(timer);
  }

  /** A signing id is never tried twice; order id and payment link change with it. */
  private anotherSigning(hold: Hold): Hold {
    return { ...hold, signing_id: randomUUID(), order_id: randomUUID(), pay_token: this.deps.tokens.fresh() };
  }

  private async pause(ctx: Ctx, tries: number): Promise<void> {
    const pause = Math.min(FIRST_PAUSE_MS * 2 ** tries, LONGEST_PAUSE_MS) * (0.5 + Math.random());
    if (ctx.deadline.remainingMs() - pause < SIGNING_RESERVE_MS) {
      throw unavailable('Other approvals by this key have not finished yet. Retry with the same Idempotency-Key.', 1);
    }
    await delay(pause);
  }
}

const tooMany = (): AppError =>
  unavailable('This key has too many approvals running. Retry with the same Idempotency-Key.', 1);

/** Approve writes its record without a run, so the authority decides which of the two has the command. */
export class UnheldCommand {
  private constructor(
    private readonly authorities: Authorities,
    private readonly ctx: Ctx,
  ) {}

  static async of(ctx: Ctx, authorities: Authorities): Promise<UnheldCommand> {
    await authorities.ensure(ctx.principal.workspace, accountOf(ctx.principal).document);
    return new UnheldCommand(authorities, ctx);
  }

  readonly check = async (tx: Tx): Promise<void> => {
    const { principal, command } = this.ctx;
    const isFree = await this.authorities.touchUnheld(
      tx,
      principal.workspace,
      accountOf(principal).document,
      command?.id ?? '',
    );
    if (!isFree) throw idempotencyConflict();
  };

  /** A conflict is stored under the command only if no signing holds it. */
  async decide<T>(decide: () => Promise<T>): Promise<T> {
    try {
      return await decide();
    } catch (error) {
      if (error instanceof AppError && error.code === 'conflict') throw new RefusedWith(error, this.check);
      throw error;
    }
  }
}
