import { createHash } from 'node:crypto';
import type { AuditedEntry, AuditedOrder } from '@cds/billing/testing';
import { canonicalJson } from '@cds/service';
import type { Databases } from './audit.js';

type OrderLine = {
  line_id: string;
  price_cents: number;
  unit_id: string | null;
  scheduled_date: string;
  channel: string;
};
export type Order = Omit<AuditedOrder, 'lines'> & {
  plan_id: string;
  key_id: string;
  parent_key_id?: string;
  mandate_version: number;
  month: string;
  signed_at: Date;
  lines: OrderLine[];
};
export type Plan = {
  _id: string;
  ws: string;
  campaign_id: string;
  status: string;
  terms_fingerprint: string;
  currency: string;
  launch_window_start: string;
  launch_window_end: string;
  order: { order_id: string; total_cents: number } | null;
  lines: {
    id: string;
    channel: string;
    format: string | null;
    unit_id: string | null;
    scheduled_date: string;
    price_cents: number;
  }[];
};
export type MandateVersion = {
  key_id: string;
  version: number;
  mandate: { max_plan_cents: number; monthly_cap_cents: number; channels: string[]; may_approve: boolean } | null;
};
export type Verdict = {
  _id: string;
  kind: string;
  total_cents: number | null;
  evidence: {
    budget_cents?: number | null;
    lines?: { line_id: string; price_cents: number; current_price_cents: number | null; on_sale: boolean }[];
  } | null;
};

export type Books = {
  orders: readonly Order[];
  ledger: readonly AuditedEntry[];
  plans: readonly Plan[];
  campaigns: readonly { _id: string; ws: string }[];
  mandates: readonly MandateVersion[];
  verdicts: readonly Verdict[];
};

/** The D audits of what was signed and paid (invariants.yaml): each sentence names what is wrong. */
export const auditOrders = async (databases: Databases): Promise<string[]> => {
  const [gateway, planning, billing] = ['gateway', 'planning', 'billing'].map((service) => databases.of(service));
  if (gateway === undefined || planning === undefined || billing === undefined) throw new Error('no databases');
  return wrongIn({
    orders: await billing.collection<Order>('orders').find().toArray(),
    ledger: await billing.collection<AuditedEntry>('ledger').find().toArray(),
    plans: await planning.collection<Plan>('plans').find({ status: 'approved' }).toArray(),
    campaigns: await planning.collection<{ _id: string; ws: string }>('campaigns').find().toArray(),
    mandates: await gateway.collection<MandateVersion>('mandates').find().toArray(),
    verdicts: await planning.collection<Verdict>('sign_verdicts').find({ kind: 'signed' }).toArray(),
  });
};

export const wrongIn = (books: Books): string[] => [
  ...underMandates(books),
  ...withinCaps(books),
  ...asSigned(books),
  ...asProved(books),
];

/** I13: each order kept to the version of the mandate that it names. */
const underMandates = ({ orders, mandates }: Books): string[] =>
  orders.flatMap((order) => {
    const used = mandates.find(({ key_id, version }) => key_id === order.key_id && version === order.mandate_version);
    if (used?.mandate == null)
      return [`I13: order ${order._id} names version ${order.mandate_version} of a mandate, which does not exist`];
    const { max_plan_cents, channels, may_approve } = used.mandate;
    return [
      ...(may_approve ? [] : [`I13: order ${order._id} was signed by a key that may not approve`]),
      ...(order.total_cents > max_plan_cents ? [`I13: order ${order._id} is above its mandate's largest plan`] : []),
      ...order.lines
        .filter(({ channel }) => !channels.includes(channel))
        .map(({ channel }) => `I13: order ${order._id} has a line on ${channel}, outside its mandate`),
    ];
  });

/** I12: what a key spent in a month fits the largest cap that one of these signings was judged by. */
const withinCaps = ({ orders, ledger, mandates }: Books): string[] => {
  const givenBack = new Set(ledger.filter(({ kind }) => kind === 'give_back').map(({ order_id }) => order_id));
  const standing = orders.filter(({ _id }) => !givenBack.has(_id));
  const capOf = (key: string, versions: ReadonlySet<number> | null): number =>
    Math.max(
      0,
      ...mandates
        .filter(({ key_id, version }) => key_id === key && (versions === null || versions.has(version)))
        .map(({ mandate }) => mandate?.monthly_cap_cents ?? 0),
    );
  const over = (key: string, month: string, own: readonly Order[], cap: number): string[] =>
    sum(own.map(({ total_cents }) => total_cents)) > cap
      ? [`I12: key ${key} spent ${sum(own.map(({ total_cents }) => total_cents))} in ${month}, above its cap of ${cap}`]
      : [];
  const months = [...new Set(orders.map(({ month }) => month))];
  return months.flatMap((month) => {
    const inMonth = standing.filter((order) => order.month === month);
    const byKey = Map.groupBy(inMonth, ({ key_id }) => key_id);
    const byParent = Map.groupBy(inMonth, ({ key_id, parent_key_id }) => parent_key_id ?? key_id);
    return [
      ...[...byKey].flatMap(([key, own]) =>
        over(key, month, own, capOf(key, new Set(own.map(({ mandate_version }) => mandate_version)))),
      ),
      ...[...byParent].flatMap(([key, family]) => over(key, month, family, capOf(key, null))),
    ];
  });
};

/** I16, I28, I57, I59: a signed plan is still what was signed, its order is equal to it, and its campaign exists. */
const asSigned = ({ orders, plans, campaigns }: Books): string[] => {
  const byId = new Map(orders.map((order) => [order._id, order]));
  const known = new Set(campaigns.map(({ _id, ws }) => `${ws} ${_id}`));
  return plans.flatMap((plan) => {
    const order = byId.get(plan.order?.order_id ?? '');
    const differs =
      order !== undefined &&
      canonicalJson(order.lines.map((line) => frozen({ ...line, id: line.line_id }))) !==
        canonicalJson(plan.lines.map(frozen));
    return [
      ...(plan.terms_fingerprint === fingerprintOf(plan) ? [] : [`I16: plan ${plan._id} is not what was signed`]),
      ...(differs ? [`I28: the lines of plan ${plan._id} are not those of its order`] : []),
      ...(known.has(`${plan.ws} ${plan.campaign_id}`) ? [] : [`I57: the campaign of signed plan ${plan._id} is gone`]),
      ...(order === undefined || plan.order?.total_cents === order.total_cents
        ? []
        : [`I59: plan ${plan._id} and its order have two totals`]),
    ];
  });
};

/** I14: the evidence of each signature has current prices, lines on sale and a total within the budget. */
const asProved = ({ verdicts }: Books): string[] =>
  verdicts.flatMap(({ _id, total_cents, evidence }) => {
    const lines = evidence?.lines ?? [];
    const stale = lines.filter((line) => line.price_cents !== line.current_price_cents || !line.on_sale);
    const budget = evidence?.budget_cents ?? null;
    return [
      ...stale.map(({ line_id }) => `I14: signing ${_id} took line ${line_id} at a price that was not on sale`),
      ...(budget !== null && (total_cents ?? 0) > budget ? [`I14: signing ${_id} is above its campaign's budget`] : []),
    ];
  });

/** The terms fingerprint as its page states it (docs/domain/plans.md#terms-fingerprint). */
const fingerprintOf = ({ currency, launch_window_start, launch_window_end, lines }: Plan): string => {
  const sorted = lines
    .map(({ id, channel, format, unit_id, scheduled_date, price_cents }) => ({
      id,
      channel,
      format,
      unit_id,
      scheduled_date,
      price_cents,
    }))
    .sort((one, other) => (one.id < other.id ? -1 : 1));
  const terms = { v: 1, currency, launch_window_start, launch_window_end, lines: sorted };
  return createHash('sha256').update(canonicalJson(terms)).digest('base64url');
};

const frozen = ({ id, channel, unit_id, scheduled_date, price_cents }: Omit<Plan['lines'][number], 'format'>) => ({
  id,
  channel,
  unit_id,
  scheduled_date,
  price_cents,
});

const sum = (amounts: readonly number[]): number => amounts.reduce((total, amount) => total + amount, 0);
