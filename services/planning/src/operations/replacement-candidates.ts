import type { ReadHandler } from '@cds/service';
import { creatorsOf } from '../domain/builder/new-plan.js';
import { ANYONE, selected } from '../domain/campaign/selection.js';
import { rankedReplacements } from '../domain/replacement/ranking.js';
import type { CurrentUnits } from '../load/current-units.js';
import { paidLine, signedCreators } from '../load/paid-line.js';
import type { Campaigns } from '../store/campaigns.js';
import type { OfferAnswers } from '../store/offer-answers.js';
import type { Plans } from '../store/plans.js';

type Deps = { plans: Plans; campaigns: Campaigns; units: CurrentUnits; offerAnswers: OfferAnswers };

/**
 * Who may take a paid line over, best first, without the creators that the plan was signed with and those to exclude.
 * Prices are US cents. Raises not_found. Source: docs/domain/orders.md#replacement-search.
 */
export const replacementCandidates: ReadHandler<'replacement_candidates', Deps> = async (ctx, input, deps) => {
  const { campaign, plan, line } = await paidLine(ctx, input, deps);
  const { candidates: all } = await deps.units.sharedCandidates(ctx, campaign.audience, campaign.geography);
  const candidates = selected(all, campaign.selection ?? ANYONE);
  const answers = await deps.offerAnswers.of(ctx.principal.workspace, creatorsOf(candidates), ctx.now);

  const ranked = rankedReplacements(candidates, line, {
    goal: campaign.goal,
    answers,
    exclude: new Set([...input.exclude, ...signedCreators(plan)]),
  });

  return { replacements: campaign.replacements ?? 'auto', candidates: ranked.slice(0, input.most) };
};
