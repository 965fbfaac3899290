import { HISTORY_PAGE, notFound } from '@cds/contracts';
import type { ReadHandler } from '@cds/service';
import { planHistory as present } from '../present/history.js';
import type { Plans } from '../store/plans.js';

/** Newest first, a page at a time. Raises not_found. Beyond the specification. */
export const planHistory: ReadHandler<'plan_history', { plans: Plans }> = async (ctx, input, { plans }) => {
  const plan = await plans.byId(ctx.principal.workspace, input.id);
  if (plan === null) throw notFound('plan');
  const versions = await plans.versions.newest(plan, { before: input.before, most: HISTORY_PAGE });

  return present(versions);
};
