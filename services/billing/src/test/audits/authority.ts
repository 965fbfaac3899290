import type { Store } from '@cds/service';
import { type Authority, accountOf, monthsPast } from '../../domain/authority.js';
import { accountOfOrder, type Order } from '../../domain/order.js';
import { type LedgerEntry, stateOf } from '../../domain/order-state.js';

export type Finding = { invariant: 'I12' | 'I19' | 'I23' | 'I55'; object: string; problem: string };

/**
 * Recomputes every key's counters from its orders, give-backs and unfinished holds, and every order's state from its
 * ledger, in one snapshot. Returns what differs. Source: docs/reliability.md#authority; I12, I19, I23, I55.
 */
export const auditAuthority = async (store: Store): Promise<Finding[]> => {
  const session = store.session({ snapshot: true });
  try {
    const authorities = await store.db.collection<Authority>('authority').find({}, { session }).toArray();
    const orders = await store.db.collection<Order>('orders').find({}, { session }).toArray();
    const ledger = await store.db.collection<LedgerEntry>('ledger').find({}, { session }).sort({ seq: 1 }).toArray();
    return wrongInAuthorities(authorities, orders, ledger);
  } finally {
    await session.endSession();
  }
};

export const wrongInAuthorities = (
  authorities: readonly Authority[],
  orders: readonly Order[],
  ledger: readonly LedgerEntry[],
): Finding[] => [...authorities.flatMap((one) => countersOf(one, orders, ledger)), ...statesOf(orders, ledger)];

const countersOf = (authority: Authority, orders: readonly Order[], ledger: readonly LedgerEntry[]): Finding[] => {
  const findings: Finding[] = [];
  const written = new Set(orders.map((order) => order._id));
  const family = orders.filter(
    (order) => accountOfOrder(order).document === authority._id && order.ws === authority.ws,
  );
  const unwritten = authority.holds.filter((hold) => !written.has(hold.order_id));

  // The counters of children are dropped when their month is long past.
  const past = new Set(monthsPast(authority.months));
  for (const { month, child } of countersIn(authority, family, unwritten)) {
    if (child !== null && past.has(month)) continue;
    const counted = authority.months[month];
    const held = (child === null ? counted?.held : counted?.children?.[child]?.held) ?? 0;
    const signed = family.filter((order) => order.month === month && (child === null || order.key_id === child));
    const holds = unwritten.filter((hold) => child === null || hold.principal.key === child);
    const ids = new Set(signed.map((order) => order._id));
    const spent = sum(signed.map((order) => order.total_cents));
    const back = sum(
      ledger
        .filter((entry) => entry.kind === 'give_back' && ids.has(entry.order_id))
        .map((entry) => entry.amount_cents),
    );
    const unfinished = sum(holds.filter((hold) => hold.month === month).map((hold) => hold.total_cents));
    const object = `${child ?? authority._id} ${month}`;
    if (held < 0) findings.push({ invariant: 'I55', object, problem: `held ${held} is negative` });
    if (held !== spent - back + unfinished) {
      const problem = `held ${held}, but orders ${spent} less give-backs ${back} plus holds ${unfinished}`;
      findings.push({ invariant: 'I55', object, problem });
    }
  }

  const commands = authority.holds.map((hold) => hold.command_id);
  if (new Set(commands).size !== commands.length) {
    findings.push({ invariant: 'I55', object: authority._id, problem: 'two holds of one command' });
  }
  return findings;
};

const countersIn = (
  { months }: Authority,
  orders: readonly Order[],
  holds: Authority['holds'],
): { month: string; child: string | null }[] => {
  const found = [
    ...Object.keys(months).map((month) => ({ month, child: null })),
    ...Object.entries(months).flatMap(([month, { children = {} }]) =>
      Object.keys(children).map((child) => ({ month, child })),
    ),
    ...[
      ...orders.map((order) => ({ month: order.month, child: accountOfOrder(order).child })),
      ...holds.map((hold) => ({ month: hold.month, child: accountOf(hold.principal).child })),
    ].flatMap((one) => [one, { ...one, child: null }]),
  ];
  return [...new Map(found.map((one) => [`${one.month} ${one.child}`, one])).values()];
};

const statesOf = (orders: readonly Order[], ledger: readonly LedgerEntry[]): Finding[] => {
  const entriesOf = Map.groupBy(ledger, ({ order_id }) => order_id);
  return orders.flatMap((order): Finding[] => {
    const entries = entriesOf.get(order._id) ?? [];
    const findings: Finding[] = [];
    const derived = stateOf(entries);
    if (derived !== order.payment_state) {
      const problem = `state ${order.payment_state}, but its ledger says ${derived}`;
      findings.push({ invariant: 'I23', object: order._id, problem });
    }
    if (entries.filter((entry) => entry.kind === 'signed').length !== 1) {
      findings.push({ invariant: 'I19', object: order._id, problem: 'it was not signed exactly once' });
    }
    return findings;
  });
};

const sum = (cents: readonly number[]): number => cents.reduce((total, one) => total + one, 0);
