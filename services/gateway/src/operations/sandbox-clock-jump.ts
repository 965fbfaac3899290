import { AppError, CLOCK_JUMPS, type ClockJump, conflict } from '@cds/contracts';
import { type Ctx, change, type WriteHandler } from '@cds/service';
import { jumpTarget, offsetFor } from '../domain/clock.js';
import { type DueServices, pendingFacts, presentClock } from '../sandbox/clock-facts.js';
import { awaitPropagation, type MoveDeps, moveClock } from '../sandbox/move-clock.js';

type Deps = { move: MoveDeps; due: DueServices };

/**
 * Moves a sandbox's clock to a later instant, to the next due fact of a kind, or to the next month or midnight.
 * Raises conflict (nothing_due), unprocessable for an instant that is not later. Source: docs/domain/access.md#sandbox.
 */
export const sandboxClockJump: WriteHandler<'sandbox_clock_jump', Deps> = async (ctx, input, { move, due }) => {
  const moved = ctx.command === null ? null : await move.moves.byCommand(ctx.principal.workspace, ctx.command.id);
  const target = moved === null ? await targetOf(ctx, input.to, move, due) : ctx.now;

  const offsetMs = await moveClock(ctx, (present) => offsetFor(target, ctx.networkNow, present), move);
  const pending = await pendingFacts(ctx, due);

  return change(presentClock(ctx.networkNow, offsetMs, pending), { save: async () => undefined });
};

const isNamed = (to: string): to is ClockJump => (CLOCK_JUMPS as readonly string[]).includes(to);

const targetOf = async (ctx: Ctx, to: string, { clocks }: MoveDeps, due: DueServices): Promise<Date> => {
  if (!isNamed(to)) return laterThanNow(ctx, new Date(to));
  const byFact = to !== 'midnight' && to !== 'month';
  if (byFact) await awaitPropagation(ctx, clocks);
  const pending = byFact ? await pendingFacts(ctx, due) : [];
  const target = jumpTarget(to, ctx.now, pending);
  if (target === null)
    throw conflict(
      'nothing_due',
      `Nothing of the kind ${to} is due in this sandbox. Advance the clock by seconds instead.`,
    );
  return target;
};

const laterThanNow = (ctx: Ctx, target: Date): Date => {
  if (target > ctx.now) return target;
  throw new AppError(
    'unprocessable',
    'The clock only moves forward, and `to` is not later than now. Send a later instant.',
    {
      problems: [{ field: 'to', message: `must be later than ${ctx.now.toISOString()}` }],
    },
  );
};
