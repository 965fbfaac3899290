import type { Ctx } from '@cds/service';
import type { Hold } from '../domain/authority.js';

/** The operation that a signing's answer is recorded under. */
export const APPROVE_PLAN = 'approve_plan';

/** The command of an approve: every one has an Idempotency-Key. */
export const commandOf = (ctx: Ctx): { id: string; fp: string } => {
  if (ctx.command === null) throw new Error('an approve came without its command');
  return ctx.command;
};

/** The request's context under the hold's own command, since another run or the recovery worker may finish it. */
export const underCommand = (ctx: Ctx, hold: Hold): Ctx => ({
  ...ctx,
  command: { id: hold.command_id, fp: hold.command_fp },
});
