import { randomUUID } from 'node:crypto';
import { type Input, type Output, refused } from '@cds/contracts';
import { asksOf, mandateVerdict } from '@cds/rules';
import { actorOf, type Change, type Client, type Ctx, change } from '@cds/service';
import { addDays, dayOf } from '@cds/service/calendar';
import { withFingerprint } from '../domain/approval/fingerprint.js';
import { campaignForCurrent } from '../domain/campaign/campaign-input.js';
import type { ContextInForce } from '../domain/campaign/context.js';
import { categoryRefusal } from '../domain/campaign/screening.js';
import { CURRENT_WINDOW } from '../domain/constants.js';
import { addAsks, addLine } from '../domain/edits/edits.js';
import { emptyPlan } from '../domain/lines.js';
import type { PlanWithCampaign } from '../domain/plan.js';
import { audienceOf, unitNamed } from '../load/campaigns.js';
import { campaignChanged, planChanged } from '../present/events.js';
import { quoteFor } from '../present/quote.js';
import type { CampaignStarts } from '../store/campaign-starts.js';
import type { Contexts } from '../store/contexts.js';
import { asksBeyondGate, mustBeFresh, type PlanEditDeps, writtenBy } from './plan-edit.js';

export type FirstAddDeps = PlanEditDeps & {
  starts: CampaignStarts;
  contexts: Contexts;
  catalog: Client<'audience_resolve'>;
};

/** `starts` are the workspace's campaign starts when no plan was found (docs/domain/plans.md#plan-current). */
export const startWithCreator = async (
  ctx: Ctx,
  input: Input<'plan_add_creator'>,
  deps: FirstAddDeps,
  starts: number,
): Promise<Change<Output<'plan_add_creator'>>> => {
  const { workspace, mandate } = ctx.principal;
  const context = await deps.contexts.inForce(workspace);
  const banned = categoryRefusal(context);
  if (banned !== null) throw refused(banned);
  const gate = asksOf(ctx.now);
  const refusal = mandateVerdict(mandate, gate);
  if (refusal !== null) {
    const asked = await asksBeyondGate(ctx, async (soon) =>
      addAsks({ lines: [] }, unitNamed(await deps.units.of(soon, [input.unit_id], []), input.unit_id), ctx.now),
    );
    throw deps.checks.refused(ctx, 'plan_add_creator', refusal, asked);
  }
  const [audience, quoteFacts] = await Promise.all([
    audienceOf(ctx, deps.catalog, context.audience),
    deps.billing.quote_facts(ctx, { order_id: null }),
    deps.starts.ensure(workspace),
  ]);
  const pricedAt = performance.now();
  const units = await deps.units.of(ctx, [input.unit_id], audience.segments);

  const started = emptyStart(ctx, context, audience);
  const lineId = randomUUID();
  const added = addLine(
    { ...started, units, mandate, now: ctx.now, today: dayOf(ctx.now), sandbox: ctx.principal.sandbox },
    unitNamed(units, input.unit_id),
    { id: lineId, date: input.scheduled_date },
  );
  const asked = added.asked ?? gate;
  if (added.refusal !== null) throw deps.checks.refused(ctx, 'plan_add_creator', added.refusal, asked);
  const { campaign } = started;
  const plan = withFingerprint({ ...added.plan, version: 1 });

  return change(
    { line_id: lineId, plan: quoteFor(ctx, { plan, campaign }, units, quoteFacts) },
    {
      save: async (tx) => {
        const number = await deps.starts.book(tx, ctx, starts);
        await deps.campaigns.insert(tx, { ...campaign, number });
        await deps.plans.insert(tx, plan, writtenBy(ctx, 'campaign.create'));
        await deps.checks.passed(tx, ctx, 'plan_add_creator', asked);
        mustBeFresh(pricedAt);
      },
      events: [campaignChanged(campaign), planChanged(plan)],
      audit: [
        {
          ws: workspace,
          actor: actorOf(ctx),
          action: 'campaign.create',
          object: campaign._id,
          payload: { name: campaign.name, plan_id: plan._id, unit_id: input.unit_id },
        },
      ],
    },
  );
};

const emptyStart = (
  ctx: Ctx,
  context: ContextInForce,
  audience: Awaited<ReturnType<typeof audienceOf>>,
): PlanWithCampaign => {
  const { workspace, workspace_name } = ctx.principal;
  const today = dayOf(ctx.now);
  const window = { start: addDays(today, CURRENT_WINDOW.start), end: addDays(today, CURRENT_WINDOW.end) };
  const campaign = campaignForCurrent(window, context, {
    id: randomUUID(),
    ws: workspace,
    workspaceName: workspace_name,
    now: ctx.now,
    ...audience,
  });
  const plan = emptyPlan(campaign, { id: randomUUID(), writtenBy: 'key', now: ctx.now });
  return { plan, campaign: { ...campaign, plan_id: plan._id } };
};
