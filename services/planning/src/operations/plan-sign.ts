import type { Input } from '@cds/contracts';
import { acceptUrl, parentMonthOf } from '@cds/rules';
import { actorOf, type BaseShell, type Ctx, inTx, isDuplicate, retryLostRaces, type WriteHandler } from '@cds/service';
import { dayOf } from '@cds/service/calendar';
import { mustBeFresh, writtenBy } from '../changes/plan-edit.js';
import { approvalRefusal, policyOf } from '../domain/approval/approval.js';
import { evidenceOf } from '../domain/approval/evidence.js';
import { decideSigning, orderCampaign, orderLines } from '../domain/approval/signing.js';
import type { Plan, PlanWithCampaign } from '../domain/plan.js';
import { planNamed } from '../load/campaigns.js';
import type { CurrentUnits } from '../load/current-units.js';
import { campaignChanged, planChanged } from '../present/events.js';
import { quotePart } from '../present/quote-part.js';
import { Revealed } from '../present/revealed.js';
import { verdictOf } from '../present/verdict.js';
import type { Campaigns } from '../store/campaigns.js';
import type { Plans } from '../store/plans.js';
import { NOTHING_SIGNED, type SignVerdict, type SignVerdicts } from '../store/sign-verdicts.js';

type Deps = {
  plans: Plans;
  campaigns: Campaigns;
  units: CurrentUnits;
  verdicts: SignVerdicts;
  shell: Pick<BaseShell, 'store' | 'outbox' | 'audit' | 'failpoints' | 'commands'>;
};

type SignInput = Input<'plan_sign'>;

/** The commit point of the saga. Raises not_found, and unavailable without a verdict (docs/reliability.md#signing). */
export const planSign: WriteHandler<'plan_sign', Deps> = async (ctx, input, deps) => {
  try {
    return verdictOf(await retryLostRaces(ctx.deadline, () => attempt(ctx, input, deps)));
  } catch (error) {
    if (!isDuplicate(error)) throw error;
    return verdictOf(await deps.verdicts.inForce(ctx.principal.workspace, input.signing_id, ctx.deadline));
  }
};

const attempt = async (ctx: Ctx, input: SignInput, deps: Deps): Promise<SignVerdict> => {
  const pair = await planNamed(deps, ctx.principal.workspace, input.id);
  const pricedAt = performance.now();
  const units = await deps.units.ofPlan(ctx, pair);

  const approvedAt = new Date(input.approved_at);
  const facts = {
    ...pair,
    units,
    mandate: ctx.principal.mandate,
    spentCents: input.spent_cents,
    parentMonth: parentMonthOf(ctx.principal, input.parent_spent_cents),
    currentTerms: input.current_terms,
    termsUrl: input.terms_url === undefined ? null : acceptUrl(input.terms_url, ctx.principal.key),
    now: approvedAt,
    today: dayOf(approvedAt),
    fingerprint: input.terms_fingerprint,
  };
  const decided = decideSigning(facts, { orderId: input.order_id, approvedAt, totalCents: input.total_cents });

  if (decided.kind === 'refuse') {
    const verdict: SignVerdict = {
      ...NOTHING_SIGNED,
      _id: input.signing_id,
      ws: pair.plan.ws,
      kind: 'refused',
      plan_id: pair.plan._id,
      evidence: evidenceOf(facts, ctx.networkNow),
      lines: [],
      refusal: decided.refusal,
      created_at: ctx.networkNow,
    };
    return refuse(ctx, deps, pair, verdict, decided.repriced);
  }
  const quote = quotePart({
    plan: decided.plan,
    campaign: pair.campaign,
    units,
    lines: new Map(),
    revealed: Revealed.nothing,
    policy: policyOf(approvalRefusal({ ...facts, plan: decided.plan })),
    today: facts.today,
    now: facts.now,
  });
  const { sandbox, workspace } = ctx.principal;
  const seed = sandbox ? await deps.shell.commands.resets.seedOf(workspace) : null;
  const verdict: SignVerdict = {
    _id: input.signing_id,
    ws: pair.plan.ws,
    kind: 'signed',
    plan_id: pair.plan._id,
    order_id: input.order_id,
    total_cents: input.total_cents,
    approved_at: approvedAt,
    evidence: evidenceOf(facts, ctx.networkNow),
    lines: orderLines(decided.plan),
    campaign: orderCampaign(pair.campaign, decided.plan, seed),
    quote,
    refusal: null,
    created_at: ctx.networkNow,
  };
  return sign(ctx, deps, pair, decided.plan, verdict, pricedAt);
};

const sign = async (
  ctx: Ctx,
  { plans, campaigns, verdicts, shell }: Deps,
  { plan, campaign }: PlanWithCampaign,
  signed: Plan,
  verdict: SignVerdict,
  pricedAt: number,
): Promise<SignVerdict> => {
  const touched = { ...campaign, open_change: false, rev: campaign.rev + 1 };
  await inTx(shell.store, ctx.deadline, async (tx) => {
    await verdicts.insert(tx, verdict);
    await plans.sign(tx, plan, signed);
    shell.failpoints.hit('sign.planning_in_tx');
    await campaigns.touch(tx, campaign, { open_change: false });
    await shell.outbox.add(tx, [planChanged(signed), campaignChanged(touched)], ctx.networkNow);
    await shell.audit.add(
      tx,
      [
        {
          ws: plan.ws,
          actor: actorOf(ctx),
          action: 'plan.sign',
          object: plan._id,
          payload: {
            signing_id: verdict._id,
            order_id: verdict.order_id,
            total_cents: verdict.total_cents,
            approved_at: verdict.approved_at,
            terms_fingerprint: signed.terms_fingerprint,
            mandate_version: ctx.principal.mandate_version,
          },
        },
      ],
      ctx.networkNow,
    );
    mustBeFresh(pricedAt);
  });
  shell.failpoints.hit('sign.planning_committed');
  return verdict;
};

const refuse = async (
  ctx: Ctx,
  { plans, campaigns, verdicts, shell }: Deps,
  { plan, campaign }: PlanWithCampaign,
  verdict: SignVerdict,
  repriced: Plan | null,
): Promise<SignVerdict> => {
  await inTx(shell.store, ctx.deadline, async (tx) => {
    await verdicts.insert(tx, verdict);
    if (repriced === null) return;
    await plans.replaceAwaiting(tx, plan, repriced, writtenBy(ctx, 'plan.reprice'));
    await campaigns.touch(tx, campaign);
    await shell.outbox.add(tx, [planChanged(repriced)], ctx.networkNow);
    await shell.audit.add(
      tx,
      [
        {
          ws: plan.ws,
          actor: actorOf(ctx),
          action: 'plan.reprice',
          object: plan._id,
          payload: { version: repriced.version, terms_fingerprint: repriced.terms_fingerprint },
        },
      ],
      ctx.networkNow,
    );
  });
  shell.failpoints.hit('sign.planning_refused');
  return verdict;
};

/** Answers the verdict in force; a late sign request finds it closed. Source: docs/reliability.md#signing; I56. */
export const planSignClose: WriteHandler<'plan_sign_close', { verdicts: SignVerdicts }> = async (ctx, input, deps) => {
  const verdict = await deps.verdicts.settle(
    {
      ...NOTHING_SIGNED,
      _id: input.signing_id,
      ws: input.workspace,
      kind: 'closed',
      lines: [],
      created_at: ctx.networkNow,
    },
    ctx.deadline,
  );

  return verdictOf(verdict);
};
