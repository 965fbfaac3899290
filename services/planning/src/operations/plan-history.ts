import { HISTORY_PAGE, notFound } from '@cds/contracts';
import type { ReadHandler } from '@cds/service';
import { planHistory as present } from '../present/history.js';
import type { Plans } from '../store/plans.js';

/**
 * The versions of a plan with what each changed, newest first and a page at a time. Raises not_found. Beyond the
 * specification.
 */
export const planHistory: ReadHandler<'plan_history', { plans: Plans }> = async (ctx, input, { plans }) => {
  const ws = ctx.principal.workspace;
  const [plan, versions] = await Promise.all([
    plans.byId(ws, input.id),
    plans.versions.newest(ws, input.id, { before: input.before, most: HISTORY_PAGE }),
  ]);
  if (plan === null) throw notFound('plan');

  return present(versions);
};
