import type { Input } from '@cds/contracts';
import { type Commands, type Ctx, mustBeOpen, type Outcome, RecordedOutcome, type WriteHandler } from '@cds/service';
import { holdOf } from '../domain/authority.js';
import { type CheckDependencies, checkApproval } from '../signing/check-approval.js';
import type { HoldManager } from '../signing/holds.js';
import { commandOf, type SigningMachine } from '../signing/signing.js';

export type ApproveDependencies = CheckDependencies & {
  commands: Commands;
  holds: HoldManager;
  signing: SigningMachine;
};

/**
 * Signs a plan within the key's mandate and answers its payment link, at most once per Idempotency-Key
 * (`signing/signing.ts`). Never calls a rail. Raises not_found, mandate_refused, conflict, unprocessable (rail),
 * in_progress, idempotency_conflict, unavailable. Source: docs/domain/orders.md#approve, docs/reliability.md#signing
 * (I01 to I06, I12 to I19).
 */
export const approvePlan: WriteHandler<'approve_plan', ApproveDependencies> = async (ctx, input, deps) => {
  for (;;) {
    ctx.deadline.check();
    const stored = await deps.commands.stored(ctx);
    if (stored !== null) return new RecordedOutcome(stored);
    mustBeOpen(ctx);

    const outcome = await attempt(ctx, input, deps);
    if (outcome !== 'begin_again') return new RecordedOutcome(outcome);
  }
};

const attempt = async (
  ctx: Ctx,
  input: Input<'approve_plan'>,
  deps: ApproveDependencies,
): Promise<Outcome | 'begin_again'> => {
  const view = await deps.holds.view(ctx);
  const existing = holdOf(view, commandOf(ctx).id);
  if (existing !== undefined) {
    await deps.signing.resolveExisting(ctx, existing, view.now);
    return 'begin_again';
  }

  const checked = await checkApproval(ctx, input, view, deps);
  return deps.signing.approve(ctx, checked);
};
