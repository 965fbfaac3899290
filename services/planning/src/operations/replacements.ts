import { conflict, unprocessable } from '@cds/contracts';
import type { ReadHandler } from '@cds/service';
import { creatorsOf } from '../domain/builder/new-plan.js';
import { ANYONE, selected } from '../domain/campaign/selection.js';
import { deliverableOf } from '../domain/quote/line-texts.js';
import { rankedUnits, replacementsOf } from '../domain/replacement/ranking.js';
import { unitNamed } from '../load/campaigns.js';
import type { CurrentUnits } from '../load/current-units.js';
import { paidLine, paidPlan, signedCreators } from '../load/paid-line.js';
import type { Campaigns } from '../store/campaigns.js';
import type { OfferAnswers } from '../store/offer-answers.js';
import type { Plans } from '../store/plans.js';

type Deps = { plans: Plans; campaigns: Campaigns; units: CurrentUnits; offerAnswers: OfferAnswers };

/** Best first. Raises not_found. Source: docs/domain/orders.md#replacement-search. */
export const replacementCandidates: ReadHandler<'replacement_candidates', Deps> = async (ctx, input, deps) => {
  const { campaign, plan } = await paidPlan(ctx, input.campaign_id, deps);
  const { candidates: all } = await deps.units.sharedCandidates(ctx, campaign.audience, campaign.geography);
  const candidates = selected(all, campaign.selection ?? ANYONE);
  const answers = await deps.offerAnswers.of(ctx.principal.workspace, creatorsOf(candidates), ctx.now);

  const exclude = new Set([...input.exclude, ...signedCreators(plan)]);
  const ranked = rankedUnits(
    candidates.filter(({ creator_id: id }) => !exclude.has(id)),
    { goal: campaign.goal, answers },
  );
  const found = input.lines.flatMap(({ line_id, exclude: tried }) => {
    const line = plan.lines.find(({ id }) => id === line_id);
    if (line === undefined) return [];
    return { line_id, units: replacementsOf(line, ranked, new Set(tried), input.most, campaign.goal) };
  });

  const named = new Map(found.flatMap(({ units }) => units.map((unit) => [unit.unit_id, unit])));
  return {
    replacements: campaign.replacements ?? 'auto',
    candidates: [...named.values()],
    lines: found.map(({ line_id, units }) => ({ line_id, unit_ids: units.map(({ unit_id }) => unit_id) })),
  };
};

type UnitDeps = { plans: Plans; campaigns: Campaigns; units: CurrentUnits };

/** Raises not_found, unprocessable, conflict (already_in_plan). Source: docs/domain/orders.md#replacement-search. */
export const replacementUnit: ReadHandler<'replacement_unit', UnitDeps> = async (ctx, input, deps) => {
  const { campaign, plan, line } = await paidLine(ctx, input, deps);
  const units = await deps.units.of(ctx, [input.unit_id], campaign.segments);
  const unit = unitNamed(units, input.unit_id);

  if (!unit.buyable) throw unprocessable([{ field: 'unit_id', message: 'must be a format that is on sale now' }]);
  if (unit.price_cents > line.price_cents)
    throw unprocessable([
      {
        field: 'unit_id',
        message: `must cost at most the ${line.price_cents} cents paid for the line; it costs ${unit.price_cents}`,
      },
    ]);
  if (new Set([...input.exclude, ...signedCreators(plan)]).has(unit.creator_id))
    throw conflict('already_in_plan', 'This creator is on the plan or was asked for this line. Choose another one.');

  return {
    replacement: {
      unit_id: unit.unit_id,
      creator_id: unit.creator_id,
      name: unit.name,
      channel: unit.channel,
      format: unit.format,
      deliverable: deliverableOf(unit, campaign.goal),
      price_cents: unit.price_cents,
      expected_views: unit.expected_views,
      views_low: unit.views_low,
      views_high: unit.views_high,
      engagement_rate: unit.engagement_rate,
      match_score: unit.match_score,
    },
  };
};
