import type { Quote } from '@cds/contracts';
import { aCampaign } from './matrix-arguments.js';
import { type Answer, advanceClock, ask, eventually, type SharedStack } from './stack.js';

export type MainJob = { campaignId: string; planId: string; orderId: string; payUrl: string; approval: Answer };

const bodyOf = <T>(answer: Answer, name: string): T => {
  if (answer.status >= 300) throw new Error(`${name} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
  return answer.body as T;
};

/** Starts a campaign in a sandbox, which is answered with its plan. */
export const startPlan = async (
  stack: SharedStack,
  key: string,
): Promise<{ id: string; plan: Quote; today: string }> => {
  const { now } = bodyOf<{ now: string }>(await ask(stack, key, 'sandbox_clock', {}), 'sandbox_clock');
  const today = now.slice(0, 10);
  const started = await ask(stack, key, 'create_campaign', aCampaign(today) as never);
  return { ...bodyOf<{ id: string; plan: Quote }>(started, 'create_campaign'), today };
};

export const signPlan = async (stack: SharedStack, key: string): Promise<MainJob> => {
  const call = async <T>(...args: Parameters<typeof ask> extends [unknown, unknown, ...infer Rest] ? Rest : never) =>
    bodyOf<T>(await ask(stack, key, ...args), args[0]);
  const { id: campaignId, plan } = await startPlan(stack, key);
  const quote = await call<Quote>('plan_quote', { id: plan.plan_id });
  const sent = { id: plan.plan_id, terms_fingerprint: quote.terms_fingerprint };
  const approval = await ask(stack, key, 'approve_plan', sent);
  const approved = bodyOf<{ order_id: string; payment: { url: string } }>(approval, 'approve_plan');
  return { campaignId, planId: plan.plan_id, orderId: approved.order_id, payUrl: approved.payment.url, approval };
};

/** Pays what was signed, and advances the sandbox until posts are live and have readings. */
export const fulfil = async (stack: SharedStack, key: string, job: MainJob): Promise<void> => {
  bodyOf(await ask(stack, key, 'sandbox_order_payment', { id: job.orderId, outcome: 'paid' }), 'sandbox_order_payment');
  for (const days of [2, 30, 12]) bodyOf(await advanceClock(stack, key, days * 86_400), 'sandbox_clock_advance');
  const results = await eventually(
    () => ask(stack, key, 'results_list', { campaign_id: job.campaignId }),
    ({ items }: { items: unknown[] }) => items.length > 0,
  );
  bodyOf(results, 'results_list');
};
