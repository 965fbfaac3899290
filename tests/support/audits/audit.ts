import { auditBilling } from '@cds/billing/testing';
import type { Store } from '@cds/service';
import { type ClientSessionOptions, type Db, MongoClient } from 'mongodb';

type Hold = { signing_id: string };
type Authority = { _id: string; holds: Hold[] };
type Order = { _id: string; plan_id: string };
type Verdict = { _id: string; kind: 'signed' | 'refused' | 'closed'; plan_id: string | null; order_id: string | null };
type Plan = { _id: string; status: string; order: { order_id: string } | null };

export class Databases {
  private constructor(
    readonly client: MongoClient,
    private readonly prefix: string,
  ) {}

  static async open(uri: string, prefix: string): Promise<Databases> {
    return new Databases(await MongoClient.connect(uri), prefix);
  }

  of(service: string): Db {
    return this.client.db(`${this.prefix}cds_${service}`);
  }

  close(): Promise<void> {
    return this.client.close();
  }
}

/** What is wrong with signings (invariants.yaml), and by billing's own audit with its money: a sentence each. */
export const auditSignings = async (databases: Databases): Promise<string[]> => {
  const billing = databases.of('billing');
  const planning = databases.of('planning');
  const orders = await billing.collection<Order>('orders').find().toArray();
  const verdicts = await planning.collection<Verdict>('sign_verdicts').find().toArray();
  const plans = await planning.collection<Plan>('plans').find().toArray();
  const session = (options?: ClientSessionOptions) => databases.client.startSession(options);
  const store = { db: billing, session } as unknown as Store;
  return [...ordersMatchPlans(orders, plans), ...verdictsMatchOrders(verdicts, orders), ...(await auditBilling(store))];
};

/** I15, I19: an approved plan has exactly one order, and every order has its approved plan. */
const ordersMatchPlans = (orders: readonly Order[], plans: readonly Plan[]): string[] => {
  const wrong: string[] = [];
  const byPlan = Map.groupBy(orders, (order) => order.plan_id);
  for (const plan of plans) {
    const own = byPlan.get(plan._id) ?? [];
    if (plan.status === 'approved' && own.length !== 1)
      wrong.push(`I19: approved plan ${plan._id} has ${own.length} orders`);
    if (plan.status !== 'approved' && own.length > 0)
      wrong.push(`I15: plan ${plan._id} is not approved and has an order`);
    if (plan.status === 'approved' && own[0] !== undefined && plan.order?.order_id !== own[0]._id)
      wrong.push(`I19: plan ${plan._id} names another order than its own`);
  }
  const known = new Set(plans.map((plan) => plan._id));
  for (const order of orders) if (!known.has(order.plan_id)) wrong.push(`I19: order ${order._id} has no plan`);
  return wrong;
};

/** I56: an order exists exactly for a verdict `signed`. */
const verdictsMatchOrders = (verdicts: readonly Verdict[], orders: readonly Order[]): string[] => {
  const wrong: string[] = [];
  const byId = new Map(orders.map((order) => [order._id, order]));
  const signedOrders = new Set<string>();
  const signedPlans = new Map<string, number>();
  for (const verdict of verdicts) {
    const order = verdict.order_id === null ? undefined : byId.get(verdict.order_id);
    if (verdict.kind === 'signed') {
      if (order === undefined) wrong.push(`I56: verdict ${verdict._id} is signed and has no order`);
      if (verdict.order_id !== null) signedOrders.add(verdict.order_id);
      signedPlans.set(verdict.plan_id ?? '', (signedPlans.get(verdict.plan_id ?? '') ?? 0) + 1);
    } else if (order !== undefined) {
      wrong.push(`I56: verdict ${verdict._id} is ${verdict.kind} and has order ${order._id}`);
    }
  }
  for (const [plan, count] of signedPlans) if (count > 1) wrong.push(`I15: plan ${plan} was signed ${count} times`);
  for (const order of orders)
    if (!signedOrders.has(order._id)) wrong.push(`I56: order ${order._id} has no verdict signed`);
  return wrong;
};

/** I55: holds that no one finished, for a look after a quiet time. */
export const unfinishedHolds = async (databases: Databases): Promise<Hold[]> =>
  (
    await databases
      .of('billing')
      .collection<Authority>('authority')
      .find({ 'holds.0': { $exists: true } })
      .toArray()
  ).flatMap((one) => one.holds);
