import { refused } from '@cds/contracts';
import { actorOf, type Clocks, type Ctx, change, Deadline, type WriteHandler } from '@cds/service';
import { dayOf } from '@cds/service/calendar';
import { mustBeFresh, writtenBy } from '../changes/plan-edit.js';
import { teamPlan, teamPlanGate } from '../domain/edits/team-plan.js';
import { type Plan, unitsOf } from '../domain/plan.js';
import type { CurrentUnits } from '../load/current-units.js';
import { campaignOfAnyone, type OpsCampaignDeps } from '../load/ops-campaigns.js';
import { campaignChanged, planChanged } from '../present/events.js';
import { presentOpsCampaign } from '../present/ops-campaign.js';

type Deps = OpsCampaignDeps & {
  units: CurrentUnits;
  clocks: Pick<Clocks, 'now'>;
  followPrices: (plan: Plan) => Promise<void>;
};

/** Raises not_found, unprocessable, conflict. Source: docs/domain/plans.md#plans-written-by-the-team. */
export const opsCampaignPlan: WriteHandler<'ops_campaign_plan', Deps> = async (ctx, input, deps) => {
  const { campaign, plan: before } = await campaignOfAnyone(input.id, deps);
  const gate = teamPlanGate({ campaign, plan: before }, input.base_version);
  if (gate !== null) throw refused(gate);

  const now = await deps.clocks.now(campaign.ws);
  const named = input.lines.flatMap(({ unit_id }) => unit_id ?? []);
  const pricedAt = performance.now();
  const unitIds = [...new Set([...unitsOf(before?.lines ?? []), ...named])];
  const units = await deps.units.of(inWorkspace(ctx, campaign.ws), unitIds, campaign.segments);
  const decided = teamPlan({ campaign, plan: before, units, now, today: dayOf(now) }, input.lines);
  if (decided.refusal !== null) throw refused(decided.refusal);

  const { plan } = decided;
  const set = {
    plan_id: plan._id,
    no_plan: null,
    build: null,
    open_change: false,
    change_request: null,
    change_answer: null,
  };
  const by = { ...writtenBy(ctx, 'plan.team'), at: now };
  return change(presentOpsCampaign({ ...campaign, ...set }, plan, 'plan_ready'), {
    save: async (tx) => {
      await deps.campaigns.touch(tx, campaign, set);
      if (before === null) await deps.plans.insert(tx, plan, by);
      else await deps.plans.replaceAwaiting(tx, before, plan, by);
      mustBeFresh(pricedAt);
    },
    events: [campaignChanged({ ...campaign, ...set, rev: campaign.rev + 1 }), planChanged(plan)],
    committed: () => void Deadline.detached(() => deps.followPrices(plan)),
    audit: [
      {
        ws: campaign.ws,
        actor: actorOf(ctx),
        action: 'plan.team',
        object: plan._id,
        payload: { version: plan.version, lines: plan.lines.length, terms_fingerprint: plan.terms_fingerprint },
        reason: input.reason,
      },
    ],
  });
};

const inWorkspace = (ctx: Ctx, workspace: string): Ctx => ({
  ...ctx,
  principal: { ...ctx.principal, workspace, sandbox: true },
});
