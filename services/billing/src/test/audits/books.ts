/** Amounts are integer US cents. */
export type AuditedOrder = {
  _id: string;
  ws: string;
  total_cents: number;
  payment_state: string;
  lines: readonly { price_cents: number }[];
};
export type AuditedEntry = {
  _id: string;
  ws: string;
  order_id: string;
  seq: number;
  kind: string;
  amount_cents: number;
  rail_ref: string;
};
type Books = { orders: readonly AuditedOrder[]; ledger: readonly AuditedEntry[] };

/** What is wrong with orders and their ledgers (entries oldest first; I20 to I23), a sentence each. */
export const wrongInBooks = (books: Books): string[] => [...wholeCents(books), ...asBooked(books)];

/** I20: cents are whole, and a total is the sum of its lines. */
const wholeCents = ({ orders, ledger }: Books): string[] => [
  ...orders
    .filter(({ total_cents, lines }) => ![total_cents, ...lines.map((line) => line.price_cents)].every(isCents))
    .map(({ _id }) => `I20: order ${_id} has an amount that is not whole cents`),
  ...orders
    .filter(({ total_cents, lines }) => total_cents !== sum(lines.map((line) => line.price_cents)))
    .map(({ _id }) => `I20: the total of order ${_id} is not the sum of its lines`),
  ...ledger
    .filter(({ amount_cents }) => !Number.isSafeInteger(amount_cents))
    .map(({ _id }) => `I20: ledger entry ${_id} is not whole cents`),
];

/**
 * I21 to I23: an order's ledger has no gap, no entry twice and none of another workspace, and gives the order's state.
 */
const asBooked = ({ orders, ledger }: Books): string[] => {
  const entries = Map.groupBy(ledger, ({ order_id }) => order_id);
  const known = new Set(orders.map(({ _id }) => _id));
  const stray = [...entries.keys()].filter((id) => !known.has(id)).map((id) => `I23: the ledger has no order ${id}`);
  return [
    ...stray,
    ...orders.flatMap((order) => {
      const own = entries.get(order._id) ?? [];
      const once = new Set(own.map(({ rail_ref, kind }) => `${kind} ${rail_ref}`));
      const charges = own.filter(({ kind }) => kind === 'charge');
      const returned = returnedIn(own);
      return [
        ...(own.every(({ seq }, at) => seq === at + 1) ? [] : [`I23: the ledger of order ${order._id} has a gap`]),
        ...(once.size === own.length ? [] : [`I21: the ledger of order ${order._id} has an entry twice`]),
        ...(charges.length <= 1 ? [] : [`I21: order ${order._id} was paid ${charges.length} times`]),
        ...(charges.every(({ amount_cents }) => amount_cents === order.total_cents)
          ? []
          : [`I22: order ${order._id} was paid by another amount`]),
        ...(own.every(({ ws }) => ws === order.ws)
          ? []
          : [`I22: order ${order._id} has an entry of another workspace`]),
        ...(returned <= sum(charges.map(({ amount_cents }) => amount_cents))
          ? []
          : [`I23: order ${order._id} returned more than it was paid`]),
        ...comeBack(own).map((ref) => `I75: of refund ${ref} of order ${order._id} more came back than was returned`),
        ...(stateIn(own) === order.payment_state
          ? []
          : [`I23: order ${order._id} is ${order.payment_state}, and its ledger says ${stateIn(own)}`]),
      ];
    }),
  ];
};

const returnedIn = (entries: readonly AuditedEntry[]): number =>
  -sum(entries.filter(({ kind }) => kind === 'refund' || kind === 'refund_returned').map((one) => one.amount_cents));

/** I75: refunds, by reference, of which more came back than they had returned. */
const comeBack = (entries: readonly AuditedEntry[]): string[] =>
  [...Map.groupBy(entries, ({ kind, rail_ref }) => `${kind.replace('_returned', '')} ${rail_ref.replace(/~.*$/, '')}`)]
    .filter(([name]) => name.startsWith('refund ') || name.startsWith('stray_refund '))
    .filter(([, of]) => sum(of.map(({ amount_cents }) => amount_cents)) > 0)
    .map(([name]) => name);

/** The state of an order by its ledger, stated again here so that the audit does not share the rule it checks. */
const stateIn = (entries: readonly AuditedEntry[]): string => {
  const cents = (kind: string) => sum(entries.filter((one) => one.kind === kind).map((one) => one.amount_cents));
  const paid = cents('charge');
  const returned = returnedIn(entries);
  if (returned > 0 && returned === paid) return 'refunded';
  if (entries.some(({ kind }) => kind === 'cancel')) return 'cancelled';
  if (paid > 0) return returned > 0 ? 'partially_refunded' : 'paid';
  const moves = entries.filter(({ kind }) => kind === 'pending' || kind === 'failed');
  return moves.at(-1)?.kind === 'pending' ? 'processing' : 'unpaid';
};

const isCents = (amount: number): boolean => Number.isSafeInteger(amount) && amount >= 0;
const sum = (amounts: readonly number[]): number => amounts.reduce((total, amount) => total + amount, 0);
