import { ADVANCE_MAX_SECONDS, AppError, CLOCK_JUMPS, type ClockJump, conflict } from '@cds/contracts';
import type { Ctx } from '@cds/service';
import { type DueServices, pendingFacts } from './clock-facts.js';
import { jumpTarget, offsetFor } from './domain/clock.js';
import { awaitPropagation, type MoveDeps } from './move-clock.js';

/**
 * Where a move to `to` leads: from the present offset to the new one, both in milliseconds. A repeated command moves
 * nothing, since its move is stored. Raises conflict (nothing_due), unprocessable for an instant that is not later, or
 * too far ahead. Source: docs/domain/sandbox.md#sandbox.
 */
export const offsetTo = async (
  ctx: Ctx,
  to: string,
  move: MoveDeps,
  due: DueServices,
): Promise<(present: number) => number> => {
  const moved = ctx.command === null ? null : await move.moves.byCommand(ctx.principal.workspace, ctx.command.id);
  const target = moved === null ? await targetOf(ctx, to, move, due) : ctx.now;
  return (present) => offsetFor(target, ctx.networkNow, present);
};

const isNamed = (to: string): to is ClockJump => (CLOCK_JUMPS as readonly string[]).includes(to);

const targetOf = async (ctx: Ctx, to: string, { clocks }: MoveDeps, due: DueServices): Promise<Date> => {
  if (!isNamed(to)) return reachable(ctx, new Date(to));
  const byFact = to !== 'midnight' && to !== 'month';
  if (byFact) await awaitPropagation(ctx, clocks);
  const pending = byFact ? await pendingFacts(ctx, due) : [];
  const target = jumpTarget(to, ctx.now, pending);
  if (target === null)
    throw conflict(
      'nothing_due',
      `${to === 'next' ? 'Nothing' : `Nothing of the kind ${to}`} is due in this sandbox. Advance the clock by seconds instead.`,
    );
  return target;
};

const reachable = (ctx: Ctx, target: Date): Date => {
  if (target <= ctx.now)
    throw refusedInstant(
      'The clock only moves forward, and `to` is not later than now. Send a later instant.',
      `must be later than ${ctx.now.toISOString()}`,
    );
  const furthest = new Date(ctx.now.getTime() + ADVANCE_MAX_SECONDS * 1_000);
  if (target > furthest)
    throw refusedInstant(
      'One move of the clock covers at most 366 days, and no move goes back. Check the year of `to`.',
      `must be at most 366 days ahead: ${furthest.toISOString()}`,
    );
  return target;
};

const refusedInstant = (message: string, problem: string): AppError =>
  new AppError('unprocessable', message, { problems: [{ field: 'to', message: problem }] });
