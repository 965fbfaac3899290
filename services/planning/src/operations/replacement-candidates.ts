import type { ReadHandler } from '@cds/service';
import { creatorsOf } from '../domain/builder/new-plan.js';
import { ANYONE, selected } from '../domain/campaign/selection.js';
import { rankedUnits, replacementsOf } from '../domain/replacement/ranking.js';
import type { CurrentUnits } from '../load/current-units.js';
import { paidPlan, signedCreators } from '../load/paid-line.js';
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
