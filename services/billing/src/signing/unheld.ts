import { AppError } from '@cds/contracts';
import { type Ctx, idempotencyConflict, RefusedWith, type Tx } from '@cds/service';
import { accountOf } from '../domain/account.js';
import type { Authorities } from '../store/authority.js';

/**
 * Keeps a write of billing apart from an approve under the same command: approve writes its record without a run, so
 * the authority decides which of the two has the command.
 */
export class UnheldCommand {
  private constructor(
    private readonly authorities: Authorities,
    private readonly ctx: Ctx,
  ) {}

  static async of(ctx: Ctx, authorities: Authorities): Promise<UnheldCommand> {
    await authorities.ensure(ctx.principal.workspace, accountOf(ctx.principal).document);
    return new UnheldCommand(authorities, ctx);
  }

  /** Raises idempotency_conflict while a signing holds the command; part of the write's own transaction. */
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

  /** Runs a decision; a conflict is stored under the command only if no signing holds it. */
  async decide<T>(decide: () => Promise<T>): Promise<T> {
    try {
      return await decide();
    } catch (error) {
      if (error instanceof AppError && error.code === 'conflict') throw new RefusedWith(error, this.check);
      throw error;
    }
  }
}
