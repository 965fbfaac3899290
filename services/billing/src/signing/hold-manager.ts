import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { AppError, unavailable } from '@cds/contracts';
import { type Ctx, idempotencyConflict, inProgress } from '@cds/service';
import type { Kit } from '../dependencies.js';
import { type AuthorityView, type Hold, holdOf, missOf } from '../domain/authority.js';
import { HOLD_MS, MAX_HOLDS, RENEW_MS, SIGNING_RESERVE_MS } from '../domain/constants.js';
import type { Authorities, AuthorityRead } from '../store/authority.js';
import type { PayTokens } from './pay-tokens.js';
import type { Signing } from './signing.js';

export type StandingParts = { kit: Kit; authorities: Authorities; tokens: PayTokens; signing: Signing };

/** Where a try to stand a hold ended: it stands, or the approve begins again at step 0. */
export type Stood = { hold: Hold } | 'begin_again';

const FIRST_PAUSE_MS = 4;
const LONGEST_PAUSE_MS = 250;

/** Database time as last read, carried on by the monotonic clock of this process. */
type DatabaseClock = { at: Date; read: number };
const clockOf = (view: AuthorityView): DatabaseClock => ({ at: view.now, read: performance.now() });
const untilOf = (clock: DatabaseClock): Date =>
  new Date(clock.at.getTime() + (performance.now() - clock.read) + HOLD_MS);

/**
 * Stands an approve's hold on its key's authority, as reliability 3.4 says: reserving its cents, or holding a refusal
 * of 0 cents. The hold is the approve's lease.
 */
export class Standing {
  constructor(private readonly parts: StandingParts) {}

  /** The key's authority with its database time; made when the key has none yet. */
  async view(ctx: Ctx): Promise<AuthorityRead> {
    const { workspace, key } = ctx.principal;
    const found = await this.parts.authorities.view(workspace, key);
    if (found !== null) return found;
    await this.parts.authorities.ensure(workspace, key);
    const made = await this.parts.authorities.view(workspace, key);
    if (made === null) throw new Error(`the authority of key ${key} is not of workspace ${workspace}`);
    return made;
  }

  /**
   * Meets a standing hold of this command: another request under the same Idempotency-Key is told so, a living run is
   * waited for by the caller, and one that went silent is finished here. While planning is away it stays in progress.
   */
  async meet(ctx: Ctx, standing: Hold, now: Date): Promise<void> {
    if (standing.command_fp !== ctx.command?.fp) throw idempotencyConflict();
    if (standing.until >= now) throw inProgress();
    try {
      await this.parts.signing.finish(ctx, standing);
    } catch (error) {
      if (error instanceof AppError && error.code === 'unavailable') throw inProgress();
      throw error;
    }
  }

  /**
   * Reserves the hold's cents under the cap. What others have not finished is waited for; a cap that is spent, or
   * another run of the command that was finished here, sends the approve back to step 0. Raises unavailable for a newer
   * mandate, too many holds, or when the wait would outlast the deadline.
   */
  async reserve(ctx: Ctx, wanted: Hold, view: AuthorityView, capCents: number): Promise<Stood> {
    const key = ctx.principal.key;
    let clock = clockOf(view);
    let hold = wanted;
    if (view.authority.months[hold.month] === undefined) {
      await this.parts.authorities.ensureMonth(hold.ws, key, hold.month);
    }
    for (let tries = 0; ; tries += 1) {
      ctx.deadline.check();
      hold = { ...hold, until: untilOf(clock) };
      const attempt = await this.parts.authorities.reserve(hold, key, capCents, ctx.deadline);
      if (attempt === 'done') return { hold };

      const seen = await this.view(ctx);
      clock = clockOf(seen);
      const miss = missOf(seen, hold, capCents);
      switch (miss.kind) {
        case 'mine':
          return { hold };
        case 'own_command':
          await this.meet(ctx, miss.hold, seen.now);
          return 'begin_again';
        case 'gate':
          throw unavailable("The key's mandate changed at this moment. Retry with the same Idempotency-Key.", 1);
        case 'full':
          throw tooMany();
        case 'over_cap':
          return 'begin_again';
        case 'no_month':
          await this.parts.authorities.ensureMonth(hold.ws, key, hold.month);
          break;
        case 'wait':
        case 'again':
          await this.pause(ctx, tries);
          break;
      }
      // What the database did not confirm may land later: it keeps its signing, this approve goes on under a new one.
      if (attempt === 'unknown') hold = this.anotherSigning(hold);
    }
  }

  /** Holds a refusal: only who has it standing stores it. */
  async refuse(ctx: Ctx, wanted: Hold, view: AuthorityView): Promise<Stood> {
    let clock = clockOf(view);
    let hold: Hold = wanted;
    for (let tries = 0; ; tries += 1) {
      ctx.deadline.check();
      hold = { ...hold, until: untilOf(clock) };
      const attempt = await this.parts.authorities.holdRefusal(hold, ctx.principal.key, ctx.deadline);
      if (attempt === 'done') return { hold };

      const seen = await this.view(ctx);
      clock = clockOf(seen);
      const standing = holdOf(seen, hold.command_id);
      if (standing?.signing_id === hold.signing_id) return { hold };
      if (attempt === 'unknown') hold = this.anotherSigning(hold);
      if (standing !== undefined) {
        await this.meet(ctx, standing, seen.now);
        return 'begin_again';
      }
      if (seen.authority.holds.length >= MAX_HOLDS) throw tooMany();
      await this.pause(ctx, tries);
    }
  }

  /** Renews the hold every 2 s until stopped; a renewal that fails leaves the hold to run out. */
  renewing(hold: Hold): () => void {
    const { kit, authorities } = this.parts;
    const timer = setInterval(() => {
      kit.store
        .now()
        .then((now) => authorities.renew(hold, hold.principal.key, new Date(now.getTime() + HOLD_MS)))
        .catch((error: unknown) => kit.log.warn({ err: error }, 'a hold could not be renewed'));
    }, RENEW_MS);
    timer.unref();
    return () => clearInterval(timer);
  }

  /** A signing is never tried twice under one id: order and link go with it. */
  private anotherSigning(hold: Hold): Hold {
    return { ...hold, signing_id: randomUUID(), order_id: randomUUID(), pay_token: this.parts.tokens.fresh() };
  }

  private async pause(ctx: Ctx, tries: number): Promise<void> {
    const pause = Math.min(FIRST_PAUSE_MS * 2 ** tries, LONGEST_PAUSE_MS) * (0.5 + Math.random());
    if (ctx.deadline.remainingMs() - pause < SIGNING_RESERVE_MS) {
      throw unavailable('Other approvals of this key are still being settled. Retry with the same Idempotency-Key.', 1);
    }
    await delay(pause);
  }
}

const tooMany = (): AppError =>
  unavailable('Too many approvals of this key are running. Retry with the same Idempotency-Key.', 1);
