import { AppError, type UnitFacts } from '@cds/contracts';
import {
  type BaseShell,
  type Ctx,
  inTx,
  LostRace,
  type RowRunner,
  type Sweep,
  type SweepTime,
  systemContext,
} from '@cds/service';
import { writtenBy } from '../changes/plan-edit.js';
import { REPRICE_EVERY_MS } from '../domain/constants.js';
import { pricesMoved, repricedVersion } from '../domain/edits/repricing.js';
import { type Plan, type PlanWithCampaign, unitsOf } from '../domain/plan.js';
import type { CurrentUnits } from '../load/current-units.js';
import { planChanged } from '../present/events.js';
import type { Campaigns } from '../store/campaigns.js';
import type { Plans } from '../store/plans.js';
import type { PriceMove, PriceMoves, Repricing, Repricings } from '../store/price-moves.js';

type Deps = {
  shell: Pick<BaseShell, 'store' | 'outbox' | 'audit' | 'log'>;
  campaigns: Campaigns;
  plans: Plans;
  priceMoves: PriceMoves;
  repricings: Repricings;
  units: CurrentUnits;
  rows: RowRunner;
};

const BATCH = 50;
const MOVES = 500;
const TRIES = 5;

/** Signed plans never change; archived ones are repriced too. Source: docs/domain/plans.md#repricing. */
export const repricePlans = (deps: Deps): Sweep => ({
  name: 'reprice-plans',
  everyMs: REPRICE_EVERY_MS,
  run: async (time, only) => {
    await followUpMoves(deps, time);
    return deps.rows.run(
      {
        name: 'reprice-plans',
        find: (without) => deps.repricings.waiting(only, BATCH, without),
        idOf: (one) => one._id,
        handle: async (one) => {
          const repriced = await untilDecided(deps, one, time, TRIES);
          await deps.repricings.done(one);
          return repriced ? 1 : 'done';
        },
      },
      only === null ? 'kept' : 'ignored',
    );
  },
});

/** If this fails, the looks after each price move make up for it. */
export const followPricesOf =
  ({ priceMoves, repricings, shell }: Deps, reprice: () => Promise<unknown>) =>
  async (plan: Pick<Plan, '_id' | 'ws' | 'lines'>): Promise<void> => {
    try {
      if (!(await priceMoves.among(unitsOf(plan.lines)))) return;
      await repricings.ask([plan]);
      await reprice();
    } catch (err) {
      shell.log.warn({ err, plan_id: plan._id }, 'could not check the prices of a new plan; they are checked later');
    }
  };

/** With one request to catalog; if that fails, one by one, so that none blocks the others. */
const followUpMoves = async (deps: Deps, time: SweepTime): Promise<void> => {
  const moves = await deps.priceMoves.due(time.network, MOVES);
  try {
    await followUp(deps, moves, time);
  } catch {
    await deps.rows.run(
      {
        name: 'price-moves',
        find: (without) => deps.priceMoves.due(time.network, MOVES, without),
        idOf: (move) => move._id,
        handle: async (move) => ((await followUp(deps, [move], time)) ? 'done' : 0),
      },
      'kept',
    );
  }
};

/** Answers false while catalog is unavailable; then the moves wait. */
const followUp = async (deps: Deps, moves: readonly PriceMove[], time: SweepTime): Promise<boolean> => {
  const { plans, priceMoves, repricings } = deps;
  if (moves.length === 0) return true;
  const prices = await pricesOf(deps, moves, time);
  if (prices === null) return false;
  await repricings.ask(await plans.holdingOtherwise(prices));
  for (const { ws, unit_ids } of moves) if (ws !== null) await repricings.ask(await plans.holdingIn(ws, unit_ids));
  await priceMoves.looked(moves);
  return true;
};

const pricesOf = async ({ units }: Deps, moves: readonly PriceMove[], time: SweepTime): Promise<UnitFacts[] | null> => {
  const moved = new Set(moves.flatMap(({ ws, unit_ids }) => (ws === null ? unit_ids : [])));
  const ctx = systemContext({ workspace: '', sandbox: false, now: time.network, networkNow: time.network });
  try {
    return [...(await units.of(ctx, [...moved], [])).values()];
  } catch (error) {
    if (error instanceof AppError && error.code === 'unavailable') return null;
    throw error;
  }
};

const untilDecided = async (deps: Deps, one: Repricing, time: SweepTime, tries: number): Promise<boolean> => {
  try {
    return await repriceOne(deps, one, time);
  } catch (error) {
    if (!(error instanceof LostRace) || tries === 1) throw error;
    return untilDecided(deps, one, time, tries - 1);
  }
};

const repriceOne = async (deps: Deps, { _id, ws }: Repricing, time: SweepTime): Promise<boolean> => {
  const before = await deps.plans.withCampaign(ws, _id);
  if (before === null || before.plan.status !== 'awaiting_approval') return false;
  // Whether the workspace is a sandbox is not known here; a live one simply has no overrides.
  const ctx = systemContext({ workspace: ws, sandbox: true, now: time.of(ws), networkNow: time.network });
  const units = await deps.units.ofPlan(ctx, before);
  const { plan, campaign } = before;
  if (!pricesMoved(plan, units, campaign.budget_cents)) return false;

  await save(deps, ctx, before, repricedVersion(plan, plan.lines, units, campaign));
  return true;
};

const save = async (
  { shell, plans, campaigns }: Deps,
  ctx: Ctx,
  { plan, campaign }: PlanWithCampaign,
  next: PlanWithCampaign['plan'],
): Promise<void> => {
  await inTx(shell.store, ctx.deadline, async (tx) => {
    await plans.replaceAwaiting(tx, plan, next, writtenBy(ctx, 'plan.reprice'));
    await campaigns.touchArchivedToo(tx, campaign);
    await shell.outbox.add(tx, [planChanged(next)], ctx.networkNow);
    await shell.audit.add(
      tx,
      [
        {
          ws: plan.ws,
          actor: 'system',
          action: 'plan.reprice',
          object: plan._id,
          payload: { version: next.version, terms_fingerprint: next.terms_fingerprint },
        },
      ],
      ctx.networkNow,
    );
  });
};
