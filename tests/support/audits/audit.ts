import { type KeptReceipt, monthsPast, type Refused, receiptsProve } from '@cds/billing/testing';
import { type Db, MongoClient } from 'mongodb';

type Hold = {
  signing_id: string;
  command_id: string;
  total_cents: number;
  month: string;
  order_id: string;
  until: Date;
  principal: { key: string };
};
type Month = { held: number; children?: Record<string, { held: number }> };
type Authority = { _id: string; months: Record<string, Month>; holds: Hold[] };
type Order = {
  _id: string;
  plan_id: string;
  key_id: string;
  parent_key_id?: string;
  ws: string;
  signing_id: string;
  receipt_id?: string;
  total_cents: number;
  signed_at: Date;
  payment_state: string;
};
type Verdict = { _id: string; kind: 'signed' | 'refused' | 'closed'; plan_id: string | null; order_id: string | null };
type Plan = {
  _id: string;
  ws: string;
  status: string;
  order: { order_id: string } | null;
  lines: { _id?: string; id?: string; creator_id: string | null }[];
};
type Entry = { order_id: string; kind: string; amount_cents: number };

/** The databases of one stack, read by the root user. */
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

/** Every D audit of a signing (invariants.yaml): each sentence names what is wrong; none means all is well. */
export const auditSignings = async (databases: Databases): Promise<string[]> => {
  const billing = databases.of('billing');
  const planning = databases.of('planning');
  const orders = await billing.collection<Order>('orders').find().toArray();
  const authorities = await billing.collection<Authority>('authority').find().toArray();
  const ledger = await billing.collection<Entry>('ledger').find().toArray();
  const receipts = await billing.collection<KeptReceipt>('receipts').find().toArray();
  const refusals = await billing.collection<Refused>('commands').find({ op: 'approve_plan', status: 403 }).toArray();
  const verdicts = await planning.collection<Verdict>('sign_verdicts').find().toArray();
  const plans = await planning.collection<Plan>('plans').find().toArray();

  return [
    ...ordersMatchPlans(orders, plans),
    ...verdictsMatchOrders(verdicts, orders),
    ...heldIsWhatIsOwed(authorities, orders, ledger),
    ...(await receiptsProve(receipts, orders, refusals)),
  ];
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

/** I12, I55: held = orders less give-backs plus unfinished holds, never negative; and after quiet no hold is left. */
const heldIsWhatIsOwed = (
  authorities: readonly Authority[],
  orders: readonly Order[],
  ledger: readonly Entry[],
): string[] => {
  const wrong: string[] = [];
  const givenBack = new Set(ledger.filter((entry) => entry.kind === 'give_back').map((entry) => entry.order_id));
  const known = new Set(orders.map((order) => order._id));
  for (const authority of authorities) {
    const months = new Set(Object.keys(authority.months));
    const family = orders.filter((order) => (order.parent_key_id ?? order.key_id) === authority._id);
    for (const order of family) months.add(order.signed_at.toISOString().slice(0, 7));
    const children = new Set(family.flatMap((order) => (order.parent_key_id === undefined ? [] : [order.key_id])));
    for (const { children: counted = {} } of Object.values(authority.months))
      for (const child of Object.keys(counted)) children.add(child);
    for (const month of months)
      for (const child of [null, ...children]) {
        const spent = family
          .filter((order) => child === null || order.key_id === child)
          .filter((order) => order.signed_at.toISOString().startsWith(month) && !givenBack.has(order._id))
          .reduce((sum, order) => sum + order.total_cents, 0);
        const pending = authority.holds
          .filter((hold) => child === null || hold.principal.key === child)
          .filter((hold) => hold.month === month && !known.has(hold.order_id))
          .reduce((sum, hold) => sum + hold.total_cents, 0);
        const counted = authority.months[month];
        const held = (child === null ? counted?.held : counted?.children?.[child]?.held) ?? 0;
        const key = child ?? authority._id;
        // The counters of children are dropped when their month is long past.
        if (child !== null && monthsPast(authority.months).includes(month)) continue;
        if (held !== spent + pending)
          wrong.push(`I55: key ${key} holds ${held} in ${month}, but orders and holds add up to ${spent} + ${pending}`);
        if (held < 0) wrong.push(`I55: key ${key} holds ${held}`);
      }
  }
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
