import { type Ctx, type Outcome, RecordedOutcome } from '@cds/service';
import { withSecret } from './new-key.js';
import type { ShownSecrets } from './store/shown-secrets.js';

/** Under what a write stores the secret that its answer shows. */
export const secretIdOf = (ctx: Ctx): string => ctx.command?.id ?? ctx.attemptId;

/**
 * The outcome of a write, a success with the secret that its record does not hold. Raises conflict (secret_gone) for a
 * replay after ten minutes. Source: docs/domain/access.md#developers-area.
 */
export const shownOnce = async (
  ctx: Ctx,
  outcome: Outcome,
  shownSecrets: Pick<ShownSecrets, 'of'>,
  gone?: string,
): Promise<RecordedOutcome> =>
  outcome.ok ? withSecret(outcome, shownSecrets, secretIdOf(ctx), ctx.networkNow, gone) : new RecordedOutcome(outcome);
