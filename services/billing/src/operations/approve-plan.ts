import { randomUUID } from 'node:crypto';
import { AppError, type Input, type PlanTerms, refused, unavailable } from '@cds/contracts';
import { type Client, type Ctx, mustBeOpen, type Outcome, Settled, type WriteHandler } from '@cds/service';
import type { Kit } from '../dependencies.js';
import { type AuthorityView, type Hold, holdOf, spentCents } from '../domain/authority.js';
import { UNPAID_MS } from '../domain/constants.js';
import { monthOf } from '../domain/month.js';
import { type Offer, offerOf, railOf } from '../domain/offer.js';
import { overMonthlyCap } from '../domain/over-monthly-cap.js';
import { presentHeldFacts, termsUrl } from '../present/quote-facts.js';
import type { Standing } from '../signing/hold-manager.js';
import type { PayTokens } from '../signing/pay-tokens.js';
import type { Signing } from '../signing/signing.js';
import type { Authorities, AuthorityRead } from '../store/authority.js';
import type { Terms } from '../store/terms.js';

export type ApproveDeps = {
  kit: Kit;
  authorities: Authorities;
  tokens: PayTokens;
  standing: Standing;
  signing: Signing;
  terms: Terms;
  planning: Client<'plan_terms' | 'plan_sign'>;
  appUrl: string;
};

type ApproveInput = Input<'approve_plan'>;

/** Step 0 as it was read: what the hold is made of, and the refusal when a test of 3-orders 4.2 failed. */
type Read = { view: AuthorityView; hold: Hold; plan: PlanTerms; offer: Offer; refusal: AppError | null };

/**
 * Signs a plan within the key's mandate and answers its payment link, at most once under one Idempotency-Key whatever
 * dies when. Raises not_found, mandate_refused, conflict, unprocessable (rail), in_progress, idempotency_conflict,
 * unavailable. It never talks to a rail. Source: domain 3-orders 4; reliability 3.4 and 3.5 (I01 to I06, I12 to I19).
 */
export const approvePlan: WriteHandler<'approve_plan', ApproveDeps> = async (ctx, input, deps) => {
  for (;;) {
    ctx.deadline.check();
    const stored = await deps.kit.commands.stored(ctx);
    if (stored !== null) return new Settled(stored);
    mustBeOpen(ctx);

    const outcome = await run(ctx, input, deps);
    if (outcome !== 'begin_again') return new Settled(outcome);
  }
};

const run = async (ctx: Ctx, input: ApproveInput, deps: ApproveDeps): Promise<Outcome | 'begin_again'> => {
  const view = await deps.standing.view(ctx);
  const standing = holdOf(view, commandOf(ctx).id);
  if (standing !== undefined) {
    await deps.standing.meet(ctx, standing, view.now);
    return 'begin_again';
  }

  const read = await readTerms(ctx, input, deps, view);
  return read.refusal === null ? sign(ctx, read, deps) : refuse(ctx, read, read.refusal, deps);
};

/** Step 0: planning's tests 2 to 8 at current prices, then whether payments are open and the rail is offered. */
const readTerms = async (ctx: Ctx, input: ApproveInput, deps: ApproveDeps, view: AuthorityRead): Promise<Read> => {
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
  const hold = holdFor(ctx, input, plan, { rail: railOf(offer, input.rail), facts, pay_token: deps.tokens.fresh() });
  return { view, hold, plan, offer, refusal: refusalOf(ctx, plan, offer, hold) };
};

/** The first failing test of 3-orders 4.2. Raises not_found and unavailable, which bind no key. */
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

/** Seconds after which asking again makes sense while the operator keeps payments closed. */
const PAYMENTS_RETRY_S = 60;

/** A refusal decided before anything was reserved: held, stored, answered, released (reliability 3.4). */
const refuse = async (ctx: Ctx, read: Read, refusal: AppError, deps: ApproveDeps): Promise<Outcome | 'begin_again'> => {
  const wanted: Hold = { ...read.hold, total_cents: 0, refusal: refusal.body() };
  const stood = await deps.standing.refuse(ctx, wanted, read.view);
  if (stood === 'begin_again') return stood;
  const { hold } = stood;
  deps.kit.failpoints.hit('sign.refusal_held');

  const outcome = (await deps.kit.commands.stored(ctx)) ?? (await deps.signing.storeRefusal(ctx, hold, refusal));
  deps.signing.afterAnswer(() => deps.authorities.release(hold, ctx.principal.key));
  return outcome;
};

/** Steps 1 to 4: reserve, have planning decide, write what it decided, tidy. */
const sign = async (ctx: Ctx, read: Read, deps: ApproveDeps): Promise<Outcome | 'begin_again'> => {
  const { failpoints, commands } = deps.kit;
  const capCents = ctx.principal.mandate?.monthly_cap_cents ?? 0;
  failpoints.hit('sign.before_reserve');
  const stood = await deps.standing.reserve(ctx, read.hold, read.view, capCents);
  if (stood === 'begin_again') return stood;
  const { hold } = stood;

  const stop = deps.standing.renewing(hold);
  try {
    const [earlier, termsInForce] = await Promise.all([commands.stored(ctx), deps.terms.newest()]);
    if (earlier !== null) {
      deps.signing.afterAnswer(() => deps.authorities.release(hold, ctx.principal.key));
      return earlier;
    }
    if (termsInForce !== hold.terms_version) {
      // Published while this approve waited for its cents: step 0 tests the key's acceptance of them first.
      await deps.authorities.release(hold, ctx.principal.key);
      return 'begin_again';
    }
    failpoints.hit('sign.reserved');
    failpoints.hit('sign.request_late');
    await failpoints.pause('sign.request_late');
    await failpoints.pause('sign.request_late');

    const outcome = await decided(ctx, hold, deps);
    if (outcome !== null) return outcome;
  } finally {
    stop();
  }

  // Another run may have ended this signing, or its key's next one: the answer is the row's, or there is none yet.
  const stored = await commands.stored(ctx);
  if (stored !== null) return stored;
  throw unavailable('The signing did not go through. Retry with the same Idempotency-Key.', 1);
};

/** Asks planning for its verdict and does what it says; without a reply the signing is closed first, then finished. */
const decided = async (ctx: Ctx, hold: Hold, deps: ApproveDeps): Promise<Outcome | null> => {
  const verdict = await deps.planning
    .plan_sign(ctx, {
      signing_id: hold.signing_id,
      id: hold.plan_id,
      order_id: hold.order_id,
      version: hold.plan_version,
      terms_fingerprint: hold.terms_fingerprint,
      total_cents: hold.total_cents,
      approved_at: hold.approved_at.toISOString(),
      rail: hold.rail,
      pay_token: hold.pay_token,
      pay_expires_at: new Date(hold.approved_at.getTime() + UNPAID_MS).toISOString(),
      current_terms: hold.facts.current_terms,
      terms_url: hold.facts.terms_url,
      spent_cents: hold.facts.spent_cents,
    })
    .catch((error: unknown) => {
      deps.kit.log.warn({ err: error, signing_id: hold.signing_id }, 'planning gave no verdict: closing the signing');
      return null;
    });
  if (verdict === null) {
    await deps.signing.finish(ctx, hold);
    return null;
  }
  deps.kit.failpoints.hit('sign.verdict_received');

  const outcome = await deps.signing.settle(ctx, hold, verdict);
  if (verdict.kind === 'signed') deps.signing.afterAnswer(() => deps.authorities.tidy(hold, ctx.principal.key));
  return outcome;
};

const holdFor = (
  ctx: Ctx,
  input: ApproveInput,
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

const commandOf = (ctx: Ctx): { id: string; fp: string } => {
  if (ctx.command === null) throw new Error('an approve came without its command');
  return ctx.command;
};
