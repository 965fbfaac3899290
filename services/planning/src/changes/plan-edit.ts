import { AppError, type Input, type Output, type PlanWrite, type Quote, type QuoteFacts } from '@cds/contracts';
import { asksOf, type MandateAsked } from '@cds/rules';
import { actorOf, type Change, type Client, type Ctx, change, LostRace, type MandateChecks } from '@cds/service';
import { dayOf } from '@cds/service/calendar';
import { EVIDENCE_MS } from '../domain/constants.js';
import { type Declined, type EditFacts, editGate } from '../domain/edits/edits.js';
import type { WrittenBy } from '../domain/edits/plan-version.js';
import type { Campaign, Plan, PlanWithCampaign } from '../domain/plan.js';
import { planNamed } from '../load/campaigns.js';
import type { CurrentUnits } from '../load/current-units.js';
import { campaignChanged, planChanged } from '../present/events.js';
import { quoteFor } from '../present/quote.js';
import type { Campaigns } from '../store/campaigns.js';
import type { Plans } from '../store/plans.js';

const WRITES = {
  plan_add_creator: 'plan.add_creator',
  plan_remove_creator: 'plan.remove_creator',
  plan_swap_creator: 'plan.swap_creator',
  plan_move_dates: 'plan.move_dates',
} as const satisfies Record<string, PlanWrite>;

export type PlanEditName = keyof typeof WRITES;

export type PlanEditDeps = {
  plans: Plans;
  campaigns: Campaigns;
  units: CurrentUnits;
  checks: MandateChecks;
  billing: Client<'quote_facts'>;
};

type Loaded<Name extends PlanEditName> = { ctx: Ctx; input: Input<Name>; before: PlanWithCampaign };
type Targeted<Name extends PlanEditName, Target> = Loaded<Name> & { target: Target };
type Deciding<Name extends PlanEditName, Target> = Targeted<Name, Target> & { facts: EditFacts };
type Priced<Name extends PlanEditName, Target> = Deciding<Name, Target> & {
  quoteFacts: QuoteFacts;
  pricedAt: number;
};
type Decision = { refusal: null; plan: Plan; campaign?: Campaign; asked?: MandateAsked };
type Decided<Name extends PlanEditName, Target, To extends Decision> = Priced<Name, Target> & { to: To };
type Quoted<Name extends PlanEditName, Target, To extends Decision> = Decided<Name, Target, To> & { quote: Quote };

/** Load, target, gate, price, decide, quote, save: each sees what the ones before made (docs/domain/plans.md#edits). */
export type PlanEditSteps<Name extends PlanEditName, Target, To extends Decision> = {
  /** What the edit is about, such as the line it removes. Raises not_found. */
  target: (loaded: Loaded<Name>) => Target;
  /** A date move leaves plans that the team wrote alone. */
  gate: 'lines' | 'dates';
  price: (targeted: Targeted<Name, Target>) => readonly string[];
  /** Raises not_found for a unit that nobody may buy. */
  decide: (deciding: Deciding<Name, Target>) => Declined | To;
  /** Whether the prices it buys at must still be fresh at the commit. */
  buys: boolean;
  details: (decided: Decided<Name, Target, To>) => Record<string, unknown>;
  present: (quoted: Quoted<Name, Target, To>) => Output<Name>;
};

export type PlanEdit<Name extends PlanEditName> = (
  ctx: Ctx,
  input: Input<Name>,
  deps: PlanEditDeps,
  found?: PlanWithCampaign,
) => Promise<Change<Output<Name>>>;

export const planEdit =
  <Name extends PlanEditName, Target, To extends Decision>(
    name: Name,
    steps: PlanEditSteps<Name, Target, To>,
  ): PlanEdit<Name> =>
  async (ctx, input, deps, found) => {
    const before = found ?? (await planNamed(deps, ctx.principal.workspace, input.id));
    const loaded = { ctx, input, before };

    const targeted = { ...loaded, target: steps.target(loaded) };

    const gate = editGate({ ...before, mandate: ctx.principal.mandate, now: ctx.now }, steps.gate);
    if (gate !== null) {
      const more = (soon: Ctx) => readFacts(soon, deps, before, steps.price(targeted));
      const asked =
        steps.buys && gate.code === 'mandate_refused'
          ? await asksBeyondGate(ctx, async (soon) => steps.decide({ ...targeted, facts: await more(soon) }).asked)
          : asksOf(ctx.now);
      throw deps.checks.refused(ctx, name, gate, asked);
    }

    const priced = { ...targeted, ...(await readPrices(ctx, deps, before, steps.price(targeted))) };

    const to = steps.decide(priced);
    const asked = to.asked ?? asksOf(ctx.now);
    if (to.refusal !== null) throw deps.checks.refused(ctx, name, to.refusal, asked);
    const decided = { ...priced, to };

    const after = { plan: to.plan, campaign: to.campaign ?? before.campaign };
    const quote = quoteFor(ctx, after, priced.facts.units, priced.quoteFacts);

    return save(steps.present({ ...decided, quote }), {
      ctx,
      deps,
      before,
      after,
      name,
      asked,
      details: steps.details(decided),
      pricedAt: steps.buys ? priced.pricedAt : null,
    });
  };

const readPrices = async (ctx: Ctx, deps: PlanEditDeps, before: PlanWithCampaign, more: readonly string[]) => {
  const pricedAt = performance.now();
  const [facts, quoteFacts] = await Promise.all([
    readFacts(ctx, deps, before, more),
    deps.billing.quote_facts(ctx, { order_id: null }),
  ]);
  return { facts, quoteFacts, pricedAt };
};

const readFacts = async (
  ctx: Ctx,
  { units }: Pick<PlanEditDeps, 'units'>,
  before: PlanWithCampaign,
  more: readonly string[],
): Promise<EditFacts> => ({
  ...before,
  units: await units.ofPlan(ctx, before, more),
  mandate: ctx.principal.mandate,
  now: ctx.now,
  today: dayOf(ctx.now),
  sandbox: ctx.principal.sandbox,
});

/** Next version by compare-and-set, campaign, events and audit, all or nothing (docs/reliability.md#plan-edits). */
const save = <Answer>(
  answer: Answer,
  of: {
    ctx: Ctx;
    deps: PlanEditDeps;
    before: PlanWithCampaign;
    after: PlanWithCampaign;
    name: PlanEditName;
    asked: MandateAsked;
    details: Record<string, unknown>;
    pricedAt: number | null;
  },
): Change<Answer> => {
  const { deps, before, after } = of;
  const action = WRITES[of.name];
  const { window_start, window_end } = after.campaign;
  const moved = window_start !== before.campaign.window_start || window_end !== before.campaign.window_end;
  return change(answer, {
    save: async (tx) => {
      await deps.plans.replaceAwaiting(tx, before.plan, after.plan, writtenBy(of.ctx, action));
      await deps.campaigns.touch(tx, before.campaign, moved ? { window_start, window_end } : {});
      await deps.checks.passed(tx, of.ctx, of.name, of.asked);
      if (of.pricedAt !== null) mustBeFresh(of.pricedAt);
    },
    events: [
      planChanged(after.plan),
      ...(moved ? [campaignChanged({ ...after.campaign, rev: before.campaign.rev + 1 })] : []),
    ],
    audit: [
      {
        ws: before.plan.ws,
        actor: actorOf(of.ctx),
        action,
        object: before.plan._id,
        payload: { ...of.details, version: after.plan.version, terms_fingerprint: after.plan.terms_fingerprint },
      },
    ],
  });
};

export const writtenBy = (ctx: Ctx, action: PlanWrite): WrittenBy => ({ actor: actorOf(ctx), action, at: ctx.now });

/** Raises LostRace when prices are too old, so that they are read again. `pricedAt` is by `performance.now`. */
export const mustBeFresh = (pricedAt: number): void => {
  if (performance.now() - pricedAt > EVIDENCE_MS) throw new LostRace('prices');
};

const ASKS_WAIT_MS = 1_000;

/** Only the gate's part when catalog does not answer at once (docs/domain/orders.md#mandate-workbench). */
export const asksBeyondGate = async (
  ctx: Ctx,
  read: (soon: Ctx) => Promise<MandateAsked | undefined>,
): Promise<MandateAsked> => {
  const gate = asksOf(ctx.now);
  try {
    return (await read({ ...ctx, deadline: ctx.deadline.atMost(ASKS_WAIT_MS) })) ?? gate;
  } catch (error) {
    if (error instanceof AppError) return gate;
    throw error;
  }
};
