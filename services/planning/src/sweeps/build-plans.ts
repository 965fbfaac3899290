import { randomUUID } from 'node:crypto';
import {
  type BaseShell,
  type Ctx,
  inTx,
  type RowRunner,
  type Sweep,
  type SweepTime,
  systemContext,
} from '@cds/service';
import { dayOf } from '@cds/service/calendar';
import { writtenBy } from '../changes/plan-edit.js';
import { buildPlan, creatorsOf } from '../domain/builder/new-plan.js';
import { nextMorning, retryAt } from '../domain/builder/retry.js';
import { BUILD_EVERY_MS } from '../domain/constants.js';
import type { Campaign, Plan } from '../domain/plan.js';
import type { CurrentUnits } from '../load/current-units.js';
import { campaignChanged, planChanged } from '../present/events.js';
import type { Campaigns } from '../store/campaigns.js';
import type { OfferAnswers } from '../store/offer-answers.js';
import type { Plans } from '../store/plans.js';

type Deps = {
  shell: Pick<BaseShell, 'store' | 'outbox' | 'audit' | 'log'>;
  campaigns: Campaigns;
  plans: Plans;
  units: CurrentUnits;
  offerAnswers: OfferAnswers;
  rows: RowRunner;
  followPrices: (plan: Plan) => Promise<void>;
};

const BATCH = 20;

/** Of two replicas that build one plan, only the first stores it (docs/domain/plans.md#plan-builder). */
export const buildPlans = (deps: Deps): Sweep => ({
  name: 'build-plans',
  everyMs: BUILD_EVERY_MS,
  run: (time, only) => {
    const due = { now: time.network, today: dayOf(time.network), most: BATCH };
    return deps.rows.run(
      {
        name: 'build-plans',
        find: (without) => deps.campaigns.waitingForPlan(only, due, without),
        idOf: (campaign) => campaign._id,
        handle: async (campaign) => {
          // A sandbox's clock may be past the window of a campaign while the network's is not.
          if (campaign.window_end < dayOf(time.of(campaign.ws))) {
            await deps.campaigns.postpone(campaign, nextMorning(time.network));
            return 'done';
          }
          return (await buildOne(deps, campaign, time)) ? 1 : 'done';
        },
      },
      only === null ? 'kept' : 'ignored',
    );
  },
});

const buildOne = async (deps: Deps, campaign: Campaign, time: SweepTime): Promise<boolean> => {
  const now = time.of(campaign.ws);
  const ctx = systemContext({
    workspace: campaign.ws,
    sandbox: campaign.build?.sandbox ?? false,
    now,
    networkNow: time.network,
  });
  const { segments, unresolved, regions, candidates } = await deps.units.candidates(
    ctx,
    campaign.audience,
    campaign.geography,
  );
  const resolved = { ...campaign, segments, unresolved };
  const { plan, noPlan } = buildPlan(resolved, candidates, {
    mandateCents: campaign.build?.max_plan_cents ?? null,
    regions,
    now,
    today: dayOf(now),
    newId: randomUUID,
    answers: await deps.offerAnswers.of(campaign.ws, creatorsOf(candidates), now),
  });
  if (noPlan !== null && noPlan === campaign.no_plan) {
    await deps.campaigns.postpone(campaign, retryAt(noPlan, time.network));
    return false;
  }
  const build =
    campaign.build === null || plan !== null ? null : { ...campaign.build, retry_at: retryAt(noPlan, time.network) };
  const set = { segments, unresolved, no_plan: noPlan, plan_id: plan?._id ?? null, build };
  await save(deps, ctx, campaign, set, plan);
  if (plan !== null) void deps.followPrices(plan);
  return true;
};

const save = async (
  { shell, campaigns, plans }: Deps,
  ctx: Ctx,
  campaign: Campaign,
  set: Pick<Campaign, 'segments' | 'unresolved' | 'no_plan' | 'plan_id' | 'build'>,
  plan: ReturnType<typeof buildPlan>['plan'],
): Promise<void> => {
  await inTx(shell.store, ctx.deadline, async (tx) => {
    await campaigns.touch(tx, campaign, set);
    if (plan !== null) await plans.insert(tx, plan, writtenBy(ctx, 'plan.build'));
    const after = { ...campaign, ...set, rev: campaign.rev + 1 };
    await shell.outbox.add(tx, [campaignChanged(after), ...(plan === null ? [] : [planChanged(plan)])], ctx.networkNow);
    await shell.audit.add(
      tx,
      [
        {
          ws: campaign.ws,
          actor: 'system',
          action: 'plan.build',
          object: campaign._id,
          payload: { plan_id: set.plan_id },
        },
      ],
      ctx.networkNow,
    );
  });
};
