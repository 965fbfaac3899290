import { createHash, createSecretKey, randomUUID } from 'node:crypto';
import type { PlanApproved } from '@cds/contracts';
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
import type { BillingConfig } from '../config.js';
import type { Authority, Hold } from '../domain/authority.js';
import type { Order } from '../domain/order.js';
import type { LedgerEntry } from '../domain/order-state.js';
import type { PayKeys } from '../domain/pay-token.js';
import { receiptKeyOf } from '../domain/receipt-key.js';
import type { PaymentEvent } from '../store/payment-events.js';
import { type FakePlan, FakePlanning } from './fake-planning.js';

const PAY_KEYS: PayKeys = { 1: createSecretKey(Buffer.alloc(32, 7)) };
export const RAIL_SECRET = 'a secret of the sandbox rail';
const SELLER = {
  CDS_SELLER_NAME: 'Example Creators Inc.',
  CDS_SELLER_ADDRESS: ['1 Main Street', 'Springfield'],
  CDS_SELLER_TAX_ID: 'US-123',
  CDS_SELLER_EMAIL: 'billing@example.com',
  CDS_SELLER_BANK: ['Example Bank', 'Account 123'],
};
export const APP_URL = 'https://app.example.com';

/** Billing as its module wires it, on a real database and a faked planning service. */
export const aBilling = (name: string, payKeys?: PayKeys, settings?: Partial<BillingConfig>) =>
  aBillingBeside(name, new FakePlanning(), payKeys, settings);

/** The same with another planning service: a test that runs both passes the real one. */
export const aBillingBeside = async <Planning extends BillingShell['calls']>(
  name: string,
  planning: Planning,
  payKeys: PayKeys = PAY_KEYS,
  settings: Partial<BillingConfig> = {},
) => {
  const { store, drop } = await testStore(name, 'billing');
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
      CDS_RECEIPT_KEYS: { 1: receiptKeyOf(Buffer.alloc(32, 9)) },
      ...SELLER,
      CDS_STRIPE_SECRET_KEY: '',
      CDS_STRIPE_WEBHOOK_SECRETS: [],
      CDS_STRIPE_API_URL: '',
      ...settings,
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

  /** Runs an operation as the dispatcher does. */
  const run = async (
    operation: string,
    ctx: Ctx,
    input: Record<string, unknown>,
  ): Promise<Outcome | { value: unknown; status: number }> => {
    const one = bound.get(operation);
    if (one === undefined) throw new Error(`no ${operation}`);
    return runOperation(shell, one, ctx, input);
  };
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
    run,
    approve: (ctx: Ctx, { id, terms_fingerprint }: Pick<FakePlan, 'id' | 'terms_fingerprint'>, more: object = {}) =>
      run('approve_plan', ctx, { id, terms_fingerprint, ...more }),
    /** Expires every hold and pause and runs the recovery worker once, as another replica would. */
    recover: async (): Promise<number> => {
      await parts.close();
      const now = await store.now();
      await authority(store).updateMany(
        { 'holds.0': { $exists: true } },
        // Sweeps go by a time that is a little late.
        { $set: { 'holds.$[].until': new Date(now.getTime() - 60_000) } },
      );
      await pausesPass(store);
      const time = await shell.clocks.recent(0);
      const [first] = parts.sweeps;
      return first === undefined ? 0 : first.run(time, null);
    },
    sweep: async (sweepName: string): Promise<number> => {
      const one = parts.sweeps.find((sweep) => sweep.name === sweepName);
      await pausesPass(store);
      return one === undefined ? 0 : one.run(await shell.clocks.recent(0), null);
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
/** Billing with any planning service. */
export type BillingBeside = Awaited<ReturnType<typeof aBillingBeside<BillingShell['calls']>>>;

/** Ends the pauses of all rows that sweeps postponed. */
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

/** An order with the token of its payment link. */
export type Signed = { ctx: Ctx; ws: string; id: string; token: string };

/** A plan that was just signed: of a sandbox, for $100 in one line, unless said otherwise. */
export const aSigned = async (
  billing: Billing,
  {
    rail,
    total = 10_000,
    prices = [total],
    ...of
  }: NonNullable<Parameters<typeof aCtx>[0]> & { rail?: string; total?: number; prices?: readonly number[] } = {},
): Promise<Signed> => {
  const ctx = await anApproval(billing, of);
  const outcome = await billing.approve(ctx, billing.planning.plan(total, prices), rail === undefined ? {} : { rail });
  const { order_id: id, payment } = answerOf<PlanApproved>(outcome);
  await billing.parts.close();
  return { ctx, ws: ctx.principal.workspace, id, token: payment.url.split('/').at(-1) ?? '' };
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
