import type { Quote } from '@cds/contracts';
import { signPlan } from '../support/main-job.js';
import { aCampaign } from '../support/matrix-arguments.js';
import { aBrand, ask, type SharedStack, secretOf } from '../support/stack.js';

export type FuzzBrand = {
  name: string;
  workspaces: { live: string; sandbox: string };
  keys: string[];
  liveKey: string;
  ids: Record<string, string>;
};

/** The seeded keys that send requests; the first may do everything. */
const SENDERS = ['full', 'writer', 'reader', 'bare', 'muted'] as const;

export const aFuzzBrand = async (stack: SharedStack): Promise<FuzzBrand> => {
  const { live, sandbox } = await aBrand(stack);
  const full = secretOf(sandbox, 'full');
  const call = async <T>(...[name, input]: [Parameters<typeof ask>[2], object]): Promise<T> => {
    const answer = await ask(stack, full, name, input as never);
    if (answer.status >= 300) throw new Error(`${name} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
    return answer.body as T;
  };
  const { now } = await call<{ now: string }>('sandbox_clock', {});
  const job = await signPlan(stack, full);
  await call('sandbox_order_payment', { id: job.orderId, outcome: 'paid' });
  const paid = await call<Quote>('plan_quote', { id: job.planId });
  const order = await call<{ receipt_id: string }>('order_get', { id: job.orderId });
  const { id, plan } = await call<{ id: string; plan: Quote }>('create_campaign', aCampaign(now.slice(0, 10)));
  const [line] = plan.lines;
  return {
    name: live.name,
    workspaces: { live: live.id, sandbox: sandbox.id },
    keys: SENDERS.map((name) => secretOf(sandbox, name)),
    liveKey: secretOf(live, 'full'),
    ids: {
      'campaigns.id': id,
      'plans.id': plan.plan_id,
      'lines.line_id': line?.id ?? '',
      'lines.id': paid.lines[0]?.id ?? '',
      'orders.id': job.orderId,
      'receipts.id': order.receipt_id,
      'creators.id': line?.creator_id ?? '',
      'units.unit_id': line?.unit_id ?? '',
    },
  };
};
