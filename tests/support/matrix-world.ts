import { randomUUID } from 'node:crypto';
import type { Quote } from '@cds/contracts';
import { startPlan } from './main-job.js';
import { aDraft, type World } from './matrix-arguments.js';
import { ask, type SeededWorkspace, type SharedStack, secretOf } from './stack.js';

type Listed = { creators: { id: string; offerings: { unit_id: string; buyable: boolean }[] }[] };

/** A sandbox with a plan that awaits approval and a draft; `heard` gets each answer. Nothing is signed. */
export const aWorld = async (
  stack: SharedStack,
  workspace: SeededWorkspace,
  heard: (name: string, body: unknown) => void = () => undefined,
): Promise<World> => {
  const key = secretOf(workspace, 'full');
  const call = async <T>(name: Parameters<typeof ask>[2], input: object): Promise<T> => {
    const { body } = await ask(stack, key, name, input as never);
    heard(name, body);
    return body as T;
  };
  const { id, plan, today } = await startPlan(stack, key);
  heard('create_campaign', plan);
  const draft = await call<{ id: string }>('create_campaign', aDraft(today));
  const cheap = await call<Listed>('creators_search', { sort: 'price', dir: 'asc', limit: 50, price_min: 1 });
  const byPrice = { sort: 'price', followers_min: 0, limit: 1 };
  const { total } = await call<{ total: number }>('creators_search', byPrice);
  // Creators with nothing on sale come last.
  const last = await call<Listed>('creators_search', { ...byPrice, offset: total - 1 });
  const onPlan = new Set(plan.lines.map((line) => line.creator_id));
  const [orderId, receiptId] = [randomUUID(), randomUUID()];
  return {
    workspace: workspace.id,
    today,
    campaignId: id,
    draftId: draft.id,
    planId: plan.plan_id,
    lineIds: [...plan.lines].sort((one, other) => other.price_cents - one.price_cents).map((line) => line.id),
    orderId,
    anOrder: async () => orderId,
    receiptId,
    aReceipt: async () => receiptId,
    creatorId: plan.lines[0]?.creator_id ?? '',
    unpricedId: last.creators[0]?.id ?? '',
    unitIds: cheap.creators
      .filter((one) => !onPlan.has(one.id))
      .flatMap((one) => one.offerings.filter((unit) => unit.buyable).slice(0, 1))
      .map((unit) => unit.unit_id),
    quote: async () => (await ask(stack, key, 'plan_quote', { id: plan.plan_id })).body as Quote,
  };
};
