import { AppError, notFound, type SandboxUnit } from '@cds/contracts';
import { actorOf, type Change, type Ctx, change } from '@cds/service';
import type { UnitOverride } from '../domain/edits/overrides.js';
import { pricesMoved, repricedVersion } from '../domain/edits/repricing.js';
import { type Plan, type PlanWithCampaign, unitsOf } from '../domain/plan.js';
import type { CurrentUnits } from '../load/current-units.js';
import { planChanged } from '../present/events.js';
import type { Campaigns } from '../store/campaigns.js';
import type { Plans } from '../store/plans.js';
import type { PriceMoves } from '../store/price-moves.js';
import type { UnitOverrides } from '../store/unit-overrides.js';
import { writtenBy } from './plan-edit.js';

export type OverrideDeps = {
  overrides: UnitOverrides;
  plans: Plans;
  campaigns: Campaigns;
  priceMoves: PriceMoves;
  units: CurrentUnits;
};

type NewOverride = { unitId: string; override: UnitOverride; ends: boolean };

/** Raises forbidden in a live workspace: its plans see the network as it is (docs/domain/sandbox.md#sandbox). */
export const mustBeSandbox = (ctx: Ctx): void => {
  if (!ctx.principal.sandbox) throw new AppError('forbidden', 'Available only in sandbox workspaces. Use a test key.');
};

/**
 * Reprices the sandbox's awaiting plans in the same commit. Raises not_found. Source: docs/domain/plans.md#repricing.
 */
export const overrideChange = async (ctx: Ctx, deps: OverrideDeps, of: NewOverride): Promise<Change<SandboxUnit>> => {
  const ws = ctx.principal.workspace;
  const known = await deps.units.of(ctx, [of.unitId], []);
  if (!known.has(of.unitId)) throw notFound('unit');
  // A plan being built or edited now is stored later; the noted move finds it then.
  await deps.priceMoves.noteIn(ws, of.unitId, ctx.networkNow);
  const moves = await repricingsBy(ctx, deps, of);
  const action = of.ends ? 'sandbox.unit_clear' : 'sandbox.unit_set';

  return change(
    { unit_id: of.unitId, ...of.override },
    {
      save: async (tx) => {
        if (of.ends) await deps.overrides.clear(tx, ws, of.unitId);
        else await deps.overrides.set(tx, ws, of.unitId, of.override);
        for (const { before, after } of moves) {
          await deps.plans.replaceAwaiting(tx, before.plan, after, writtenBy(ctx, action));
          await deps.campaigns.touchArchivedToo(tx, before.campaign);
        }
      },
      events: moves.map(({ after }) => planChanged(after)),
      audit: [
        {
          ws,
          actor: actorOf(ctx),
          action,
          object: of.unitId,
          payload: { ...of.override, repriced: moves.map(({ after }) => after._id) },
        },
      ],
    },
  );
};

const repricingsBy = async (
  ctx: Ctx,
  deps: OverrideDeps,
  of: NewOverride,
): Promise<{ before: PlanWithCampaign; after: Plan }[]> => {
  const moves: { before: PlanWithCampaign; after: Plan }[] = [];
  for (const before of await plansWith(deps, ctx.principal.workspace, of.unitId)) {
    const { plan, campaign } = before;
    const units = await deps.units.of(ctx, unitsOf(plan.lines), campaign.segments, of);
    if (pricesMoved(plan, units, campaign.budget_cents))
      moves.push({ before, after: repricedVersion(plan, plan.lines, units, campaign) });
  }
  return moves;
};

const plansWith = async (
  { plans, campaigns }: OverrideDeps,
  ws: string,
  unitId: string,
): Promise<PlanWithCampaign[]> => {
  const awaiting = await plans.awaitingWithUnit(ws, unitId);
  const found = await campaigns.byIds(
    ws,
    awaiting.map((plan) => plan.campaign_id),
  );
  return awaiting.flatMap((plan) => {
    const campaign = found.find((one) => one._id === plan.campaign_id);
    return campaign === undefined ? [] : [{ plan, campaign }];
  });
};
