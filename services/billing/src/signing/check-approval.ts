import { randomUUID } from 'node:crypto';
import { AppError, type Input, type PlanTerms, type Refusal, refused, type Seller, unavailable } from '@cds/contracts';
import { acceptUrl, asksOf, mandateVerdict, parentMonthOf } from '@cds/rules';
import type { Client, Ctx } from '@cds/service';
import { accountOf, capsOf, type Hold, monthOf, spentOf } from '../domain/authority.js';
import { cardsRefuse, notOffered, type Offer, offerOf, railOf } from '../domain/offer.js';
import { presentHeldFacts, termsUrl } from '../present/quote-facts.js';
import type { Rails } from '../rails/rails.js';
import type { AuthorityRead } from '../store/authority.js';
import type { PayTokens } from './pay-tokens.js';
import { type Agreed, commandOf, type Rejected } from './signing.js';

export type CheckDependencies = {
  tokens: PayTokens;
  rails: Pick<Rails, 'checkout'>;
  seller: Pick<Seller, 'email'>;
  planning: Client<'plan_terms'>;
  appUrl: string;
};

const PAYMENTS_RETRY_S = 60;

/** Raises not_found and unavailable, which bind no key. Source: docs/domain/orders.md#approve-checks. */
export const checkApproval = async (
  ctx: Ctx,
  input: Input<'approve_plan'>,
  view: AuthorityRead,
  deps: CheckDependencies,
): Promise<Agreed | Rejected> => {
  const spent = spentOf(view, monthOf(ctx.now), accountOf(ctx.principal));
  const currentTerms = view.terms[0] ?? null;
  const plan = await deps.planning.plan_terms(ctx, {
    id: input.id,
    terms_fingerprint: input.terms_fingerprint,
    ...(input.expected_total_cents !== undefined && { expected_total_cents: input.expected_total_cents }),
    ...spent,
    current_terms: currentTerms,
    terms_url: termsUrl(deps.appUrl, currentTerms),
  });
  const checkout = deps.rails.checkout(ctx.principal.sandbox);
  const offer = offerOf(checkout, ctx.switches, view.terms, plan.total_cents);

  const { mandate } = ctx.principal;
  const facts = presentHeldFacts(deps.appUrl, offer, view.terms, mandate?.terms_version ?? null, spent);
  const asked = asksOf(ctx.now, {
    channels: plan.channels,
    signing: {
      current_terms: facts.current_terms?.version ?? null,
      terms_url: acceptUrl(facts.terms_url, ctx.principal.key),
    },
    total_cents: plan.total_cents,
    spent_cents: spent.spent_cents,
    parent: parentMonthOf(ctx.principal, spent.parent_spent_cents),
  });
  const wanted = holdFor(ctx, input, plan, {
    rail: railOf(offer, input.rail),
    facts,
    pay_token: deps.tokens.fresh(),
    check: { request_id: ctx.requestId, at: ctx.networkNow, asked },
  });
  const overSpend = mandateVerdict(mandate, { ...asked, channels: [], signing: null });
  const refusal = refusalOf(plan, overSpend, { offer, seller: deps.seller }, wanted);
  if (refusal !== null) {
    const evidence = refusal.code === 'mandate_refused' && plan.evidence !== undefined && { evidence: plan.evidence };
    return { state: 'rejected', wanted: { ...wanted, ...evidence, total_cents: 0, refusal: refusal.body() }, view };
  }
  return { state: 'agreed', wanted, view, caps: capsOf(ctx.principal) };
};

/** Planning tested the mandate by the same function; billing, which spends, tests the amounts itself too. */
const refusalOf = (
  plan: PlanTerms,
  overSpend: Refusal | null,
  { offer, seller }: { offer: Offer; seller: Pick<Seller, 'email'> },
  hold: Hold,
): AppError | null => {
  const refusal = plan.refusal ?? overSpend;
  if (refusal !== null) {
    const error = refused(refusal);
    if (error.code === 'not_found') throw error;
    return error;
  }
  if (!offer.open) {
    const message =
      cardsRefuse(offer) !== null
        ? notOffered(offer, hold.rail, seller)
        : 'Payments are not open at the moment. Retry later.';
    throw unavailable(message, PAYMENTS_RETRY_S);
  }
  if (!offer.options.some((option) => option.rail === hold.rail)) {
    const offered = offer.options.map((option) => option.rail).join(', ');
    const why =
      hold.rail === 'checkout' && cardsRefuse(offer) !== null
        ? `is not offered for this total. ${cardsRefuse(offer)}`
        : 'is not offered for this workspace';
    const problems = [{ field: 'rail', message: `${why}; offered: ${offered}` }];
    return new AppError('unprocessable', 'This rail is not offered. Choose one of payment_options.', { problems });
  }
  return null;
};

const holdFor = (
  ctx: Ctx,
  input: Input<'approve_plan'>,
  plan: PlanTerms,
  of: Pick<Hold, 'rail' | 'facts' | 'pay_token' | 'check'>,
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
