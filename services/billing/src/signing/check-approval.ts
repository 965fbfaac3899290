import { randomUUID } from 'node:crypto';
import { AppError, type Input, type PlanTerms, refused, unavailable } from '@cds/contracts';
import type { Client, Ctx } from '@cds/service';
import { type Hold, spentCents } from '../domain/authority.js';
import { monthOf } from '../domain/month.js';
import { type Offer, offerOf, railOf } from '../domain/offer.js';
import { overMonthlyCap } from '../domain/over-monthly-cap.js';
import { presentHeldFacts, termsUrl } from '../present/quote-facts.js';
import type { AuthorityRead } from '../store/authority.js';
import { commandOf } from './command.js';
import type { PayTokens } from './pay-tokens.js';
import type { Agreed, Rejected } from './states.js';

export type CheckDependencies = { tokens: PayTokens; planning: Client<'plan_terms'>; appUrl: string };

/** Seconds after which a retry makes sense while the operator keeps payments closed. */
const PAYMENTS_RETRY_S = 60;

/**
 * Step 0 of an approve: planning's tests 2 to 8 at current prices, then whether payments are open and the rail is
 * offered. Raises not_found and unavailable, which bind no key; any other refusal is held and stored. Source:
 * docs/domain/orders.md#approve-checks.
 */
export const checkApproval = async (
  ctx: Ctx,
  input: Input<'approve_plan'>,
  view: AuthorityRead,
  deps: CheckDependencies,
): Promise<Agreed | Rejected> => {
  const offer = offerOf(ctx.principal.sandbox, ctx.switches, view.terms);
  const spent = spentCents(view, monthOf(ctx.now));
  const plan = await deps.planning.plan_terms(ctx, {
    id: input.id,
    terms_fingerprint: input.terms_fingerprint,
    spent_cents: spent,
    current_terms: offer.currentTerms,
    terms_url: termsUrl(deps.appUrl, offer.currentTerms),
  });

  const { mandate } = ctx.principal;
  const facts = presentHeldFacts(deps.appUrl, offer, view.terms, mandate?.terms_version ?? null, spent);
  const wanted = holdFor(ctx, input, plan, { rail: railOf(offer, input.rail), facts, pay_token: deps.tokens.fresh() });
  const refusal = refusalOf(ctx, plan, offer, wanted);
  if (refusal !== null) {
    return { state: 'rejected', wanted: { ...wanted, total_cents: 0, refusal: refusal.body() }, view };
  }
  return { state: 'agreed', wanted, view, capCents: mandate?.monthly_cap_cents ?? 0 };
};

/** The first check that fails, in the order of docs/domain/orders.md#approve-checks; null when all pass. */
const refusalOf = (ctx: Ctx, plan: PlanTerms, offer: Offer, hold: Hold): AppError | null => {
  if (plan.refusal !== null) {
    const error = refused(plan.refusal);
    if (error.code === 'not_found') throw error;
    return error;
  }
  const { mandate } = ctx.principal;
  if (mandate === null) throw new Error('planning let a key without a mandate sign');
  const overCap = overMonthlyCap(hold.facts.spent_cents, plan.total_cents, mandate.monthly_cap_cents);
  if (overCap !== null) return refused(overCap);
  if (!offer.open) throw unavailable('Payments are not open at the moment. Retry later.', PAYMENTS_RETRY_S);
  if (!offer.options.some((option) => option.rail === hold.rail)) {
    const offered = offer.options.map((option) => option.rail).join(', ');
    const problems = [{ field: 'rail', message: `is not offered for this workspace; offered: ${offered}` }];
    return new AppError('unprocessable', 'This rail is not offered. Choose one of payment_options.', { problems });
  }
  return null;
};

const holdFor = (
  ctx: Ctx,
  input: Input<'approve_plan'>,
  plan: PlanTerms,
  of: Pick<Hold, 'rail' | 'facts' | 'pay_token'>,
): Hold => ({
  signing_id: randomUUID(),
  command_id: commandOf(ctx).id,
  command_fp: commandOf(ctx).fp,
  ws: ctx.principal.workspace,
  plan_id: plan.plan_id,
  plan_version: plan.version,
  terms_fingerprint: input.terms_fingerprint,
  total_cents: plan.total_cents,
  month: monthOf(ctx.now),
  approved_at: ctx.now,
  order_id: randomUUID(),
  mandate_version: ctx.principal.mandate_version,
  terms_version: of.facts.current_terms?.version ?? null,
  until: ctx.networkNow,
  principal: ctx.principal,
  ...of,
});
