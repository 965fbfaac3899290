/** The main job, step by step: everything an agent does from "we launch in two weeks" to the results of the posts. */
import type { CampaignStatus, OperationName, Output, Quote } from '@cds/contracts';
import { Failure } from '../lib/failure.ts';
import type { Endpoint } from './endpoints.ts';
import type { Stage } from './stage.ts';

const DAY_S = 86_400;
const HOUR_S = 3_600;

type Agent = { endpoint: Endpoint; stage: Stage };
type Job = { call: Step; stage: Stage };
type Step = <N extends OperationName>(
  title: string,
  operation: N,
  input?: Record<string, unknown>,
) => Promise<Output<N>>;

/** A part of an answer that this job cannot do without. */
function needed<T>(value: T | null | undefined, what: string): T {
  if (value == null) throw new Failure(`The demo needs ${what}, and was answered none.`, ['npm run demo  (again)']);
  return value;
}

const number = (value: number) => Number(value).toLocaleString('en-US');
const money = (cents: number) => `$${number(cents / 100)}`;
const dayAfter = (instant: string, days: number) =>
  new Date(Date.parse(instant) + days * DAY_S * 1000).toISOString().slice(0, 10);
const plural = (count: number, word: string) => `${number(count)} ${word}${count === 1 ? '' : 's'}`;
const stages = (byStage: Record<string, number>) =>
  Object.entries(byStage)
    .filter(([, count]) => count > 0)
    .map(([stage, count]) => `${count} ${stage.replace(/_/g, ' ')}`)
    .join(', ');

const stepsOf =
  ({ endpoint, stage }: Agent): Step =>
  async (title, operation, input) => {
    let asked = '';
    const value = await stage.step(title, async () => {
      const answer = await endpoint.call(operation, input);
      asked = answer.asked;
      return answer.value;
    });
    stage.detail(endpoint.name === 'MCP' ? 'tool' : 'request', asked);
    return value;
  };

/** The job of an agent whose company has no audience on file yet, up to the signature. */
export async function signFirstPlan({ endpoint, stage, now, audience }: Agent & { now: string; audience: string }) {
  const call = stepsOf({ endpoint, stage });
  const plan = await planned({ call, stage, now, audience });
  const quote = await quoted({ call, stage, plan });
  return signed({ call, stage, quote });
}

export async function runMainJob({ endpoint, sandbox, stage }: Agent & { sandbox: Endpoint }) {
  const call = stepsOf({ endpoint, stage });
  const clock: Live['clock'] = async (title, seconds) => {
    const { now } = await stage.step(
      title,
      async () => (await sandbox.call('sandbox_clock_advance', { seconds })).value,
    );
    stage.detail('sandbox clock', now.slice(0, 16).replace('T', ' '));
  };

  const { now } = (await sandbox.call('sandbox_clock')).value;
  const plan = await planned({ call, stage, now });
  await edited({ call, stage, now, plan });
  const quote = await quoted({ call, stage, plan });
  const order = await signed({ call, stage, quote });
  await fulfilled({ call, clock, sandbox, stage }, order, quote.campaign_id);
}

/** `audience` is that of the campaign; without it, the one on file counts. */
async function planned({ call, stage, now, audience }: Job & { now: string; audience?: string }) {
  const inventory = await call('Check the coverage', 'inventory', {});
  const fit = needed(
    inventory.channels.find(({ channel }) => channel === 'x_creators'),
    'the channel of X',
  );
  const labels = inventory.segments.map(({ label }) => label).join(', ');
  stage.detail('audience', labels || 'none on file yet');
  stage.detail(fit.label, `${fit.level}; ${fit.note}`);

  const page = await call('Find creators who sell quote posts', 'creators_search', { format: 'quote', limit: 5 });
  stage.detail('found', `${number(page.total)} ${labels && 'reach the audience and '}sell a quote`);
  for (const creator of page.creators.slice(0, 3)) {
    const unit = needed(
      creator.offerings.find(({ format }) => format === 'quote'),
      'a quote post',
    );
    const views = unit.expected_views === null ? 'not measured yet' : `${number(unit.expected_views)} expected views`;
    const followers = `${number(creator.followers ?? 0)} followers`;
    stage.detail('', `${creator.name}, ${followers}: ${money(unit.price_cents)}, ${views}`);
  }

  const started = await call('Start a campaign', 'create_campaign', {
    goal: 'launch',
    product: 'Orbit, an AI pair for founders',
    moment: 'Orbit goes live on the first day of the window',
    window_start: dayAfter(now, 5),
    window_end: dayAfter(now, 26),
    budget_usd: 6000,
    ...(audience && { audience }),
  });
  stage.detail('campaign', `${started.campaign}; ${started.stage}`);
  const plan = needed(started.plan, 'a plan');
  stage.detail('plan', `${plural(plan.lines.length, 'post')} for ${money(plan.total_cents)} of $6,000`);
  for (const line of plan.lines.slice(0, 3))
    stage.detail('', `${line.scheduled_date}  ${line.creator?.name}, ${line.format}, ${money(line.price_cents)}`);
  return plan;
}

async function edited({ call, stage, now, plan }: Job & { now: string; plan: Quote }) {
  const cheap = await call('Look for a cheaper creator', 'creators_search', {
    sort: 'price',
    dir: 'asc',
    price_min: 20,
    limit: 50,
  });
  const onPlan = new Set(plan.lines.map((line) => line.creator_id));
  const other = needed(
    cheap.creators.find(({ id }) => !onPlan.has(id)),
    'another creator',
  );
  const unit = needed(
    other.offerings.find(({ buyable }) => buyable),
    'a post on sale',
  );
  stage.detail('found', `${other.name}, ${unit.format}, ${money(unit.price_cents)}`);

  const dearest = [...plan.lines].sort((one, two) => two.price_cents - one.price_cents)[0];
  const swapped = await call('Swap out the most expensive creator', 'plan_swap_creator', {
    id: plan.plan_id,
    line_id: dearest.id,
    unit_id: unit.unit_id,
  });
  stage.detail(
    'plan',
    `${dearest.creator?.name} out, ${other.name} in: now ${money(swapped.plan.total_cents)}, version ${swapped.plan.version}`,
  );

  const moved = await call('Move the dates by two days', 'plan_move_dates', {
    id: plan.plan_id,
    start: dayAfter(now, 7),
    end: dayAfter(now, 28),
  });
  stage.detail(
    'plan',
    `${plural(moved.lines_moved, 'post')} moved; ${moved.plan.launch_window_start} to ${moved.plan.launch_window_end}`,
  );
}

async function quoted({ call, stage, plan }: Job & { plan: Quote }) {
  const quote = await call('Read the quote', 'plan_quote', { id: plan.plan_id });
  stage.detail(
    'total',
    `${money(quote.total_cents)}, ${number(quote.totals.views_low ?? 0)} to ${number(quote.totals.views_high ?? 0)} expected views`,
  );
  const mandate = needed(quote.mandate, 'a mandate');
  stage.detail(
    'mandate',
    `${money(mandate.spent_this_month_cents)} of ${money(mandate.monthly_cap_cents)} spent this month`,
  );
  stage.detail('may sign', quote.policy.allowed ? 'yes' : `no: ${quote.policy.refusal?.reason}`);
  return quote;
}

async function signed({ call, stage, quote }: Job & { quote: Quote }) {
  const approved = await call('Sign within the mandate', 'approve_plan', {
    id: quote.plan_id,
    terms_fingerprint: quote.terms_fingerprint,
  });
  stage.detail('order', `${approved.order.payment_state}, ${money(approved.order.total_cents)}`);
  stage.detail('payment link', approved.payment.url);
  return approved;
}

type Live = Job & { clock: (title: string, seconds: number) => Promise<void>; sandbox: Endpoint };

async function fulfilled({ call, clock, sandbox, stage }: Live, order: Output<'approve_plan'>, campaignId: string) {
  const paid = await stage.step(
    'The brand pays (sandbox rail)',
    async () => (await sandbox.call('sandbox_order_payment', { id: order.order_id, outcome: 'paid' })).value,
  );
  stage.detail('order', paid.payment_state);

  const statusOf = ({ plan, ...status }: CampaignStatus) => ({ ...status, plan: needed(plan, 'a plan') });
  const { plan } = statusOf((await sandbox.call('campaign_status', { id: campaignId })).value);
  const chosen = await stage.step('The sandbox plays three creators', () => troubled({ sandbox, plan }));
  stage.detail('line 1', 'declines');
  stage.detail('line 2', 'posts, and removes the post two days later');
  stage.detail('last line', 'books the last day, and never posts');

  await clock('Two days later: creators answer', 49 * HOUR_S);
  const answered = statusOf(await call('Check who accepted', 'campaign_status', { id: campaignId }));
  for (const line of answered.plan.lines.slice(0, 4)) {
    const { creator_handle: handle, replaced_handle: replaced, state } = line.proposal ?? {};
    stage.detail('', `@${handle}${replaced ? `, who replaces @${replaced}` : ''}: ${state}; ${line.stage}`);
  }
  stage.detail('lines', stages(answered.plan.lines_by_stage));

  await clock('Launch: posts go live', 20 * DAY_S);
  const live = statusOf(await call('Check the campaign status', 'campaign_status', { id: campaignId }));
  stage.detail('campaign', `${live.stage}; ${stages(live.plan.lines_by_stage)}`);
  for (const note of live.notes ?? []) stage.detail('note', note.text);
  for (const line of live.plan.lines.filter(({ id }) => chosen.includes(id)))
    stage.detail('', `@${line.proposal?.creator_handle}: ${line.next?.text}`);
  const evidence = await call('Read the proof', 'evidence_list', { campaign_id: campaignId });
  for (const item of evidence.items.slice(0, 3)) stage.detail('', `${item.slot}, ${item.date}: ${item.proof_url}`);

  await clock('Three weeks later', 21 * DAY_S);
  const results = await call('Read the results', 'results_list', { campaign_id: campaignId });
  for (const item of results.items.slice(0, 4)) {
    stage.detail('', `${item.slot}: ${item.latest?.line ?? 'no reading yet'}`);
    stage.detail('', `  ${item.versus} ${item.still_up?.line ?? ''}`);
  }
  const ended = statusOf((await sandbox.call('campaign_status', { id: campaignId })).value);
  stage.detail('campaign', `${ended.stage}; ${stages(ended.plan.lines_by_stage)}`);
  const settled = await stage.step(
    'Where the money is',
    async () => (await sandbox.call('order_get', { id: order.order_id })).value,
  );
  stage.detail('received', money(settled.received_cents));
  stage.detail('for posts', money(settled.committed_cents));
  for (const credit of settled.credits)
    stage.detail('credited', `${money(credit.amount_cents)}: ${credit.cause.replace(/_/g, ' ')}`);
}

type SentPlan = NonNullable<CampaignStatus['plan']>;

/** Plays what goes wrong in real campaigns, and answers the ids of its lines. */
async function troubled({ sandbox, plan }: { sandbox: Endpoint; plan: SentPlan }): Promise<string[]> {
  const lines = [...plan.lines].sort((one, two) => (one.scheduled_date < two.scheduled_date ? -1 : 1));
  const [declines, removes] = lines;
  const missing = lines[lines.length - 1];
  await sandbox.call('sandbox_line_answer', { id: declines.id, answer: 'decline', reason: 'timing' });
  await sandbox.call('sandbox_line_answer', { id: removes.id, answer: 'accept' });
  await sandbox.call('sandbox_line_post', { id: removes.id, when: 'on_time', disclosure: 'now', gone_after_days: 2 });
  const date = plan.launch_window_end;
  await sandbox.call('sandbox_line_answer', { id: missing.id, answer: 'accept', date });
  await sandbox.call('sandbox_line_post', { id: missing.id, when: 'never', disclosure: 'never' });
  return [declines.id, removes.id, missing.id];
}
