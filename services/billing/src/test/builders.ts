import { createHash, createSecretKey, randomUUID } from 'node:crypto';
import type { Input, Output, PlanTerms, QuotePart, RefusalFact, Verdict } from '@cds/contracts';
import { notFound, unavailable } from '@cds/contracts';
import {
  Audit,
  bindHandlers,
  Clocks,
  Commands,
  type Ctx,
  Failpoints,
  makeLogger,
  Outbox,
  type Outcome,
  runOperation,
  Sweeps,
  systemContext,
} from '@cds/service';
import { aCtx, testStore } from '@cds/service/testing';
import { type BillingShell, billingModule } from '../billing.module.js';
import type { Authority, Hold } from '../domain/authority.js';
import type { Order } from '../domain/order.js';
import type { LedgerEntry } from '../domain/order-state.js';
import type { PayKeys } from '../domain/pay-token.js';
import type { PaymentEvent } from '../store/payment-events.js';

type Refusal = ReturnType<typeof RefusalFact.parse>;

/** A plan as the faked planning service knows it. */
export type FakePlan = {
  id: string;
  version: number;
  terms_fingerprint: string;
  total_cents: number;
  order_id: string | null;
};

/** How the faked planning service misbehaves; each is asked once per call. */
export type Misbehaviour = {
  /** Waits before a sign request is looked at. */
  before?: () => Promise<void>;
  /** The verdict is written, the reply is lost. */
  loseReply?: boolean;
  /** The request never arrives. */
  loseRequest?: boolean;
  /** Nothing answers at all. */
  away?: boolean;
};

/** Planning as reliability 3.5 describes it: plans, and verdicts written once. */
export class FakePlanning {
  readonly plans = new Map<string, FakePlan>();
  readonly verdicts = new Map<string, Verdict>();
  /** Step 0 refuses with this; the signing with `signRefusal`. */
  refusal: Refusal | null = null;
  signRefusal: Refusal | null = null;
  misbehaviour: Misbehaviour = {};
  /** Gives a signed verdict the words of a campaign and its lines. */
  dress: (verdict: Verdict) => Verdict = (verdict) => verdict;
  termsAsked: Input<'plan_terms'>[] = [];
  signsAsked = 0;

  plan(totalCents: number): FakePlan {
    const plan = {
      id: randomUUID(),
      version: 3,
      terms_fingerprint: `tf_${randomUUID()}`,
      total_cents: totalCents,
      order_id: null,
    };
    this.plans.set(plan.id, plan);
    return plan;
  }

  readonly plan_terms = async (ctx: Ctx, input: Input<'plan_terms'>): Promise<Output<'plan_terms'>> => {
    this.termsAsked.push(input);
    const plan = this.known(input.id);
    const refusal = this.refusal ?? this.refusalOf(plan, input) ?? this.overCap(ctx, plan, input.spent_cents);
    const terms: PlanTerms = {
      plan_id: plan.id,
      campaign_id: CAMPAIGN.campaign_id,
      version: plan.version,
      terms_fingerprint: plan.terms_fingerprint,
      total_cents: plan.total_cents,
      refusal,
    };
    return terms;
  };

  readonly plan_sign = async (_ctx: Ctx, input: Input<'plan_sign'>): Promise<Verdict> => {
    this.signsAsked += 1;
    const { before, loseReply, loseRequest, away } = this.misbehaviour;
    if (away || loseRequest) throw unavailable('no reply', 2);
    await before?.();
    const verdict = this.sign(input);
    if (loseReply) throw unavailable('no reply', 2);
    return verdict;
  };

  /** What arrives late is the same function: a verdict that stands is answered, never changed. */
  sign(input: Input<'plan_sign'>): Verdict {
    const standing = this.verdicts.get(input.signing_id);
    if (standing !== undefined) return standing;
    const plan = this.known(input.id);
    const refusal = this.signRefusal ?? this.refusalOf(plan, input);
    const verdict: Verdict =
      refusal === null
        ? this.dress({
            signing_id: input.signing_id,
            kind: 'signed',
            plan_id: plan.id,
            order_id: input.order_id,
            total_cents: input.total_cents,
            approved_at: input.approved_at,
            lines: [LINE],
            campaign: CAMPAIGN,
            quote: quoteOf(plan),
            refusal: null,
          })
        : { ...CLOSED, signing_id: input.signing_id, kind: 'refused', refusal };
    if (refusal === null) plan.order_id = input.order_id;
    this.verdicts.set(input.signing_id, verdict);
    return verdict;
  }

  readonly plan_sign_close = async (_ctx: Ctx, input: Input<'plan_sign_close'>): Promise<Verdict> => {
    if (this.misbehaviour.away) throw unavailable('planning is away', 2);
    const standing = this.verdicts.get(input.signing_id);
    if (standing !== undefined) return standing;
    const verdict: Verdict = { ...CLOSED, signing_id: input.signing_id };
    this.verdicts.set(input.signing_id, verdict);
    return verdict;
  };

  private known(id: string): FakePlan {
    const plan = this.plans.get(id);
    if (plan === undefined) throw notFound('plan');
    return plan;
  }

  private refusalOf(plan: FakePlan, input: { terms_fingerprint: string }): Refusal | null {
    if (plan.order_id !== null) return aRefusal('conflict', 'plan_signed');
    return plan.terms_fingerprint === input.terms_fingerprint ? null : aRefusal('conflict', 'terms_changed');
  }

  private overCap(ctx: Ctx, plan: FakePlan, spentCents: number): Refusal | null {
    const limit = ctx.principal.mandate?.monthly_cap_cents ?? 0;
    const over = spentCents + plan.total_cents - limit;
    return over <= 0
      ? null
      : aRefusal('mandate_refused', 'over_monthly_cap', {
          limit_cents: limit,
          spent_cents: spentCents,
          requested_cents: plan.total_cents,
          over_by_cents: over,
        });
  }
}

export const aRefusal = (code: Refusal['code'], reason: string, details: Record<string, unknown> = {}): Refusal => ({
  code,
  reason,
  message: `refused: ${reason}`,
  details,
});

const CLOSED: Verdict = {
  signing_id: '',
  kind: 'closed',
  plan_id: null,
  order_id: null,
  total_cents: null,
  approved_at: null,
  lines: [],
  campaign: null,
  quote: null,
  refusal: null,
};

export const CAMPAIGN = {
  campaign_id: '7b0c7c1e-0000-4000-8000-000000000001',
  campaign_number: 1,
  campaign: 'Launch',
  company: 'Acme',
  product: 'Rocket',
  launch_window_start: '2026-12-01',
  launch_window_end: '2026-12-14',
};

export const LINE = {
  line_id: '7b0c7c1e-0000-4000-8000-000000000002',
  number: 1,
  channel: 'x_creators',
  slot: '@creator post',
  creator_id: '7b0c7c1e-0000-4000-8000-000000000003',
  unit_id: '7b0c7c1e-0000-4000-8000-000000000004',
  format: 'post',
  deliverable: 'One post',
  scheduled_date: '2026-12-03',
  price_cents: 100,
  expected_views: 1_000,
  views_low: 500,
  views_high: 2_000,
  engagement_rate: 1.2,
};

const quoteOf = (plan: FakePlan): QuotePart => ({
  plan_id: plan.id,
  campaign_id: CAMPAIGN.campaign_id,
  version: plan.version,
  status: 'approved',
  currency: 'USD',
  launch_window_start: CAMPAIGN.launch_window_start,
  launch_window_end: CAMPAIGN.launch_window_end,
  terms_fingerprint: plan.terms_fingerprint,
  total_cents: plan.total_cents,
  totals: {
    creators: 1,
    total_cents: plan.total_cents,
    views_low: 500,
    views_high: 2_000,
    unmeasured: 0,
    cpm_low_cents: null,
    cpm_high_cents: null,
    tiers: { nano: 1, micro: 0, mid: 0, macro: 0, mega: 0 },
    budget_cents: null,
    remaining_cents: null,
  },
  lines: [],
  policy: { allowed: false, refusal: { code: 'conflict', reason: 'plan_signed' } },
  blocked_lines: [],
  over_budget: null,
  valid_while: 'terms_fingerprint_unchanged',
});

const PAY_KEYS: PayKeys = { 1: createSecretKey(Buffer.alloc(32, 7)) };
export const RAIL_SECRET = 'a secret of the sandbox rail';
export const APP_URL = 'https://app.example.com';

/** Billing as its module wires it, on a real database and a faked planning service. */
export const aBilling = (name: string, payKeys?: PayKeys) => aBillingBeside(name, new FakePlanning(), payKeys);

/** The same beside another planning service: a test that runs both hands in the real one. */
export const aBillingBeside = async <Planning extends BillingShell['calls']>(
  name: string,
  planning: Planning,
  payKeys: PayKeys = PAY_KEYS,
) => {
  const { store, drop } = await testStore(name);
  const failpoints = new Failpoints('');
  const log = makeLogger('billing', 'silent');
  const shell = {
    store,
    commands: new Commands(store),
    outbox: new Outbox(store),
    audit: new Audit(store),
    clocks: new Clocks(store),
    failpoints,
    log,
    calls: planning,
  };
  const parts = billingModule(
    shell,
    async (workspace, offsetMs) => {
      await shell.clocks.set(workspace, offsetMs);
      const handled = await sweeps.runDue(workspace);
      return { handled, facts: await shell.outbox.countOf(workspace), behind: false };
    },
    {
      CDS_APP_URL: APP_URL,
      CDS_SANDBOX_RAIL_SECRET: RAIL_SECRET,
      CDS_PAY_TOKEN_KEYS: payKeys,
      CDS_PAY_FORM_KEY: createSecretKey(Buffer.alloc(32, 8)),
    },
  );
  const sweeps = new Sweeps(shell.clocks, parts.sweeps, log);
  await store.migrate();
  await parts.deps.terms.publish({
    _id: '2026-11-01',
    number: 1,
    text: 'Terms',
    text_sha256: 'x',
    published_at: new Date('2026-11-01T00:00:00Z'),
  });
  const bound = bindHandlers('billing', parts.handlers, parts.deps);

  return {
    store,
    shell,
    planning,
    failpoints,
    parts,
    deps: parts.deps,
    drop: async () => {
      await parts.close();
      await drop();
    },
    /** Runs an operation as the dispatcher does; errors that are raised come back as their code. */
    run: async (
      operation: string,
      ctx: Ctx,
      input: Record<string, unknown>,
    ): Promise<Outcome | { value: unknown; status: number }> => {
      const one = bound.get(operation);
      if (one === undefined) throw new Error(`no ${operation}`);
      return runOperation(shell, one, ctx, input);
    },
    /** Lets every hold's `until` and every pause pass and runs the completer once, as another replica would. */
    complete: async (): Promise<number> => {
      await parts.close();
      const now = await store.now();
      await authority(store).updateMany(
        { 'holds.0': { $exists: true } },
        { $set: { 'holds.$[].until': new Date(now.getTime() - 1) } },
      );
      await pausesPass(store);
      const time = await shell.clocks.read();
      const [first] = parts.sweeps;
      return first === undefined ? 0 : first.run(time, null);
    },
    sweep: async (sweepName: string): Promise<number> => {
      const one = parts.sweeps.find((sweep) => sweep.name === sweepName);
      await pausesPass(store);
      return one === undefined ? 0 : one.run(await shell.clocks.read(), null);
    },
    authority: async (key: string): Promise<Authority | null> => authority(store).findOne({ _id: key }),
    orders: async (ws: string): Promise<Order[]> => store.db.collection<Order>('orders').find({ ws }).toArray(),
    ledger: async (orderId: string): Promise<LedgerEntry[]> =>
      store.db.collection<LedgerEntry>('ledger').find({ order_id: orderId }).sort({ seq: 1 }).toArray(),
    events: async (): Promise<PaymentEvent[]> => store.db.collection<PaymentEvent>('payment_events').find({}).toArray(),
    outbox: async (): Promise<Record<string, unknown>[]> => shell.outbox.rows.find({}).sort({ version: 1 }).toArray(),
  };
};

export type Billing = Awaited<ReturnType<typeof aBilling>>;

/** Lets the pauses of all rows that sweeps put off pass. */
const pausesPass = async (store: Awaited<ReturnType<typeof testStore>>['store']): Promise<void> => {
  await store.db.collection('put_off').updateMany({}, { $set: { next_at: new Date(0) } });
};

const authority = (store: Awaited<ReturnType<typeof testStore>>['store']) =>
  store.db.collection<Authority>('authority');

/** A write's command: the same name is the same Idempotency-Key of that key, the same `fp` the same request. */
export const aCommand = (key: string, name: string = randomUUID(), fp = 'fp'): { id: string; fp: string } => ({
  id: createHash('sha256').update(`${key}|${name}`).digest('hex'),
  fp,
});

/** The context of an approve on database time, as the gateway would send it. */
export const anApproval = async (
  billing: Billing,
  over: NonNullable<Parameters<typeof aCtx>[0]> & { name?: string; fp?: string } = {},
): Promise<Ctx> => {
  const key = over.key ?? randomUUID();
  const now = await billing.store.now();
  const ctx = aCtx({ sandbox: true, ...over, key, command: aCommand(key, over.name, over.fp) });
  return { ...ctx, now: over.now === undefined ? now : new Date(over.now), networkNow: now };
};

/** The code that an outcome or a raised error carries, with its reason. */
export const codeOf = async (running: Promise<Outcome | { value: unknown; status: number }>): Promise<string> => {
  try {
    const outcome = await running;
    if ('value' in outcome || outcome.ok) return 'ok';
    return [outcome.error.code, outcome.error.details?.['reason']].filter((part) => part !== undefined).join(' ');
  } catch (error) {
    if (error instanceof Error && 'code' in error && typeof error.code === 'string') return error.code;
    return error instanceof Error ? error.message : String(error);
  }
};

/** The parsed value of a success; throws with the refusal otherwise. */
export const answerOf = <T>(outcome: Outcome | { value: unknown; status: number }): T => {
  if ('value' in outcome) return outcome.value as T;
  if (!outcome.ok) throw new Error(`refused: ${JSON.stringify(outcome.error)}`);
  return JSON.parse(outcome.json.toString()) as T;
};

export const aSystemCtx = async (billing: Billing, workspace: string): Promise<Ctx> => {
  const now = await billing.store.now();
  return systemContext({ workspace, sandbox: true, now, networkNow: now });
};

export const aHold = (over: Partial<Hold> = {}): Hold => ({
  signing_id: randomUUID(),
  command_id: randomUUID(),
  command_fp: 'fp',
  ws: 'ws',
  plan_id: randomUUID(),
  plan_version: 1,
  terms_fingerprint: 'tf',
  total_cents: 100,
  month: '2026-11',
  approved_at: new Date('2026-11-21T12:00:00Z'),
  order_id: randomUUID(),
  pay_token: '~',
  rail: 'checkout',
  mandate_version: 1,
  terms_version: '2026-11-01',
  until: new Date('2026-11-21T12:00:05Z'),
  principal: aCtx().principal,
  facts: {
    payment_options: [],
    agent_payment: 'checkout',
    current_terms: null,
    accepted_terms_number: null,
    terms_url: '',
    spent_cents: 0,
  },
  ...over,
});
