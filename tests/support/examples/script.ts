import { randomUUID } from 'node:crypto';
import { type OperationName, publishedOperations, type Quote } from '@cds/contracts';
import { aCampaign, aDraft } from '../matrix-arguments.js';
import { anIdempotencyKey, ask, eventually, type SeededWorkspace, type SharedStack, secretOf } from '../stack.js';
import { Recorder, type Seen } from './recorder.js';

/** What the script needs besides the API: room in the minute of its keys, and the right to make child keys. */
export type Hands = { refill: () => Promise<void>; letDelegate: () => Promise<void> };

type Offering = { unit_id: string; buyable: boolean };
type Row = { id: string; offerings: Offering[]; ask_price: boolean };
type Line = { id: string; price_cents: number; creator_id: string };

const DAY_SECONDS = 86_400;
/** Few lines, so that a quote is short enough to read. */
const BUDGET_USD = 1_200;

/**
 * Runs every published operation once in one sandbox, as an agent and a developer would, and returns what was sent and
 * answered, raw (CONTRIBUTING.md#examples).
 */
export const runExamples = async (stack: SharedStack, sandbox: SeededWorkspace, hands: Hands): Promise<Seen> => {
  const key = secretOf(sandbox, 'full');
  const run = new Recorder(stack, key);
  const today = (await run.keep<{ now: string }>('sandbox_clock')).now.slice(0, 10);

  const bought = await readNetwork(run);
  await hands.refill();
  const plan = await planCampaign(run, today, bought);
  await hands.refill();
  const job = await signAndPay(run, plan);
  await hands.refill();
  await deliver(stack, key, run, job);
  await hands.refill();
  await operate(run, hands);
  await hands.refill();
  await refuse(stack, run, key, sandbox, job.campaignId, hands);
  await run.keep('sandbox_reset', { seed: 7 });
  return run.seen;
};

const readNetwork = async (run: Recorder): Promise<string[]> => {
  await run.keep('inventory');
  await run.keep('resolve_audience', { audience: 'startup founders' });
  await run.keep('network_facts');
  await run.keep('brain_get', { section: 'summary' });
  const cheap = { format: 'post', sort: 'price', dir: 'asc' } as const;
  const listed = await run.keep<{ creators: Row[] }>('creators_search', { ...cheap, limit: 1 });
  const page = await run.send<{ creators: Row[] }>('creators_search', { ...cheap, limit: 40 });
  await run.keep('creator_get', { id: listed.creators[0]?.id });
  const byPrice = { sort: 'price', followers_min: 0, limit: 1 };
  const { total } = await run.send<{ total: number }>('creators_search', byPrice);
  const last = await run.send<{ creators: Row[] }>('creators_search', { ...byPrice, offset: total - 1 });
  await run.keep('creator_ask_price', { id: last.creators[0]?.id });
  return page.creators.flatMap(({ offerings }) =>
    offerings
      .filter((unit) => unit.buyable)
      .slice(0, 1)
      .map((unit) => unit.unit_id),
  );
};

const planCampaign = async (run: Recorder, today: string, units: string[]) => {
  const input = { ...aCampaign(today), budget_usd: BUDGET_USD };
  const { id: campaignId, plan } = await run.keep<{ id: string; plan: Quote }>('create_campaign', input);
  const id = plan.plan_id;
  const draft = await run.send<{ id: string }>('create_campaign', aDraft(today));
  await run.keep('delete_campaign', { id: draft.id });
  await run.keep('rename_campaign', { id: campaignId, name: 'Orbit in spring', replacements: 'ask' });
  const guidelines = {
    pitch: 'Try Orbit.',
    key_messages: ['Live today'],
    dos: ['Show it running'],
    donts: ['No jokes'],
  };
  await run.keep('set_creator_guidelines', { id: campaignId, ...guidelines });

  const onPlan = new Set(plan.lines.map(({ unit_id }) => unit_id));
  const [swapped, added] = units.filter((unit) => !onPlan.has(unit));
  const [dearest, second] = byPrice(plan.lines as Line[]);
  await run.keep('plan_remove_creator', { id, line_id: dearest?.id });
  await run.keep('plan_swap_creator', { id, line_id: second?.id, unit_id: swapped });
  await run.keep('plan_add_creator', { id, unit_id: added });
  const day = (days: number) =>
    new Date(Date.parse(`${today}T00:00:00Z`) + days * DAY_SECONDS * 1_000).toISOString().slice(0, 10);
  await run.keep('plan_move_dates', { id, start: day(4), end: day(25) });
  await run.keep('sandbox_unit_set', { unit_id: units.at(-1), age_days: 3 });
  await run.keep('sandbox_unit_clear', { unit_id: units.at(-1) });

  const quote = await run.keep<Quote>('plan_quote', { id });
  await run.keep('plan_preflight', { id });
  await run.keep('plan_rationale', { id });
  await run.keep('plan_history', { id });
  await run.keep('campaigns_list');
  return { campaignId, quote };
};

const byPrice = (lines: readonly Line[]): Line[] => [...lines].sort((a, b) => b.price_cents - a.price_cents);

type Planned = Awaited<ReturnType<typeof planCampaign>>;

const signAndPay = async (run: Recorder, { campaignId, quote }: Planned) => {
  const { plan_id: id, terms_fingerprint, total_cents } = quote;
  const { order_id: orderId } = await run.keep<{ order_id: string }>('approve_plan', {
    id,
    terms_fingerprint,
    expected_total_cents: total_cents,
  });
  const order = await run.keep<{ receipt_id: string }>('order_get', { id: orderId });
  await run.keep('receipt_get', { id: order.receipt_id });
  await run.keep('orders_list');
  await run.keep('sandbox_order_payment', { id: orderId, outcome: 'paid' });
  return { campaignId, orderId, lines: byPrice(quote.lines as Line[]) };
};

type Job = Awaited<ReturnType<typeof signAndPay>>;

const deliver = async (stack: SharedStack, key: string, run: Recorder, { campaignId, lines }: Job): Promise<void> => {
  const [replaced, posted] = lines;
  await eventually(
    () => ask(stack, key, 'campaign_status', { id: campaignId }),
    ({ plan }: { plan: { lines: { stage_id: string }[] } }) =>
      plan.lines.every(({ stage_id }) => stage_id === 'offered'),
  );
  await run.keep('sandbox_line_answer', { id: posted?.id, answer: 'accept' });
  await run.keep('sandbox_line_post', { id: posted?.id, when: 'now', disclosure: 'now' });
  await run.keep('sandbox_line_post_change', { id: posted?.id, change: 'edit' });
  await run.keep('line_dispute', { id: posted?.id, claim: 'wrong_day', text: 'It came a day late.' });
  await run.keep('line_disputes', { id: posted?.id });
  await run.keep('line_integrity', { id: posted?.id });

  await run.send('sandbox_line_answer', { id: replaced?.id, answer: 'decline' });
  const asking = await eventually(
    () => ask(stack, key, 'campaign_status', { id: campaignId }),
    (body: Status) => candidatesOf(body, replaced?.id ?? '').length > 0,
  );
  const [candidate] = candidatesOf(asking.body as Status, replaced?.id ?? '');
  await run.keep('line_replace', { id: replaced?.id, unit_id: candidate?.unit_id });
  await run.keep('sandbox_clock_jump', { to: 'midnight' });
  await run.keep('sandbox_clock_advance', { seconds: 12 * DAY_SECONDS });
  await eventually(
    () => ask(stack, key, 'results_list', { campaign_id: campaignId }),
    ({ items }: { items: unknown[] }) => items.length > 0,
  );
  await run.keep('campaign_status', { id: campaignId });
  await run.keep('evidence_list', { campaign_id: campaignId });
  await run.keep('results_list', { campaign_id: campaignId });
};

type Status = { plan: { lines: { id: string; next?: { candidates?: { unit_id: string }[] } }[] } };

const candidatesOf = ({ plan }: Status, lineId: string): { unit_id: string }[] =>
  plan.lines.find(({ id }) => id === lineId)?.next?.candidates ?? [];

const operate = async (run: Recorder, hands: Hands): Promise<void> => {
  await run.keep('limits_get');
  await run.keep('events_list', { kind: 'plan.changed', limit: 1, wait: 20 });
  await run.keep('keys_usage', { days: 7 });
  await run.keep('key_report', { key: 'cds_live_that_was_found' });
  await run.keep('feedback_send', { message: 'The quote reads well.', kind: 'praise' });
  await hands.letDelegate();
  const expires_at = new Date(Date.now() + 30 * DAY_SECONDS * 1_000).toISOString();
  await run.keep('key_delegate', { name: 'Reader', scopes: ['campaigns:read'], expires_at });
  await run.keep('sandbox_fault_arm', { operation: 'approve_plan', status: 503, times: 2, delay_ms: 5_000 });
  await run.keep('sandbox_faults');
  await run.keep('sandbox_faults_clear');
};

/** Errors as callers meet them; what cannot be met at will is played by a fault of the sandbox. */
const refuse = async (
  stack: SharedStack,
  run: Recorder,
  key: string,
  sandbox: SeededWorkspace,
  campaignId: string,
  hands: Hands,
): Promise<void> => {
  run.keepError(await ask(stack, key, 'creators_search', { limit: 51 }));
  run.keepError(await ask(stack, null, 'inventory', {}));
  run.keepError(await ask(stack, secretOf(sandbox, 'reader'), 'rename_campaign', { id: campaignId, name: 'Orbit' }));
  run.keepError(await ask(stack, secretOf(sandbox, 'bare'), 'rename_campaign', { id: campaignId, name: 'Orbit' }));
  run.keepError(await ask(stack, key, 'campaign_status', { id: randomUUID() }));
  run.keepError(await ask(stack, key, 'create_campaign', { goal: 'launch' } as never));
  const twice = { 'idempotency-key': anIdempotencyKey() };
  await ask(stack, key, 'rename_campaign', { id: campaignId, name: 'Orbit' }, twice);
  run.keepError(await ask(stack, key, 'rename_campaign', { id: campaignId, name: 'Orbit again' }, twice));

  const inputOf = (name: string): Record<string, unknown> => {
    const { params, query, body } = run.seen.operations.get(name)?.request ?? {};
    return { ...params, ...query, ...body };
  };
  const play = async (operation: OperationName, status: number, more: object = {}) => {
    await run.send('sandbox_fault_arm', { operation, status, ...more });
    return ask(stack, key, operation, inputOf(operation) as never);
  };
  run.keepError(await play('creators_search', 400));
  run.keepError(await play('creators_search', 429, { reason: 'per_minute' }));
  run.keepError(await play('plan_quote', 500));
  run.keepError(await play('plan_quote', 503));
  run.keepError(await play('approve_plan', 409, { code: 'in_progress' }));
  run.keepError(await play('creator_ask_price', 502), 'undelivered');
  await hands.refill();
  for (const { name, audience, conflicts } of publishedOperations()) {
    const [reason] = conflicts ?? [];
    if (audience !== 'brand' || reason === undefined) continue;
    run.keepAnswer(name as OperationName, await play(name as OperationName, 409, { reason }));
  }
};
