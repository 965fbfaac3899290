import type { ReadHandler } from '@cds/service';
import { planNamed } from '../load/campaigns.js';
import type { CurrentUnits } from '../load/current-units.js';
import { presentRationale } from '../present/rationale.js';
import type { Campaigns } from '../store/campaigns.js';
import type { Plans } from '../store/plans.js';

/** Raises not_found. Source: docs/adr/0013, beyond the specification. */
export const planRationale: ReadHandler<
  'plan_rationale',
  { plans: Plans; campaigns: Campaigns; units: CurrentUnits }
> = async (ctx, input, deps) => {
  const pair = await planNamed(deps, ctx.principal.workspace, input.id);
  const leftOut = (pair.plan.reasons?.left_out ?? []).map(({ unit_id }) => unit_id);
  const [units, shared] = await Promise.all([
    deps.units.of(ctx, leftOut, pair.campaign.segments),
    pair.plan.status === 'approved' ? [] : deps.plans.alsoIn(pair.plan),
  ]);

  return presentRationale(pair, units, { now: ctx.now, shared });
};
