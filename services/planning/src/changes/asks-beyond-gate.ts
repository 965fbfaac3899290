import { AppError } from '@cds/contracts';
import { asksOf, type MandateAsked } from '@cds/rules';
import type { Ctx } from '@cds/service';

const WAIT_MS = 1_000;

/**
 * What a write would have asked of a mandate that refused it before prices were read, so that a draft can be tried on
 * it (docs/domain/orders.md#mandate-workbench). Only the gate's part when catalog does not answer at once, or when the
 * write could not be made anyway.
 */
export const asksBeyondGate = async (
  ctx: Ctx,
  read: (soon: Ctx) => Promise<MandateAsked | undefined>,
): Promise<MandateAsked> => {
  const gate = asksOf(ctx.now);
  try {
    return (await read({ ...ctx, deadline: ctx.deadline.atMost(WAIT_MS) })) ?? gate;
  } catch (error) {
    if (error instanceof AppError) return gate;
    throw error;
  }
};
