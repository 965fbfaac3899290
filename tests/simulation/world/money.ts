import {
  type Credit,
  creditsPaidBy,
  type InvoiceRow,
  isNamedAlike,
  isOfPayment,
  keptRefunds,
  type LedgerEntry,
  moneyOf,
  type Order,
  type PaymentEvent,
  type Refund,
  refundRefOf,
  refundRefOfReturn,
  TRANSFER,
} from '@cds/billing/testing';
import { returnedOf } from '../rail/card-books.js';
import { CARDS, type CardRail } from '../rail/card-rail.js';
import type { World } from './world.js';

/** What a payment received and returned, by its rail's own books. */
type Truth = {
  rail: string;
  payment: string;
  order: string;
  received: number;
  returned: number;
  refunds: ReadonlyMap<string, number>;
};

type Books = {
  orders: Order[];
  ledger: LedgerEntry[];
  credits: Credit[];
  refunds: Refund[];
  events: PaymentEvent[];
  tasks: { kind: string; about: { order_id: string } }[];
  truths: Truth[];
};

const read = <T>(world: World, name: string): T[] => world.databases.billing.documents(name) as T[];
const sum = (cents: readonly number[]): number => cents.reduce((total, one) => total + one, 0);

const booksOf = (world: World, cards: CardRail): Books => ({
  orders: read(world, 'orders'),
  ledger: read(world, 'ledger'),
  credits: read(world, 'credits'),
  refunds: read(world, 'refunds'),
  events: read(world, 'payment_events'),
  tasks: read<{ payload: Books['tasks'][number] }>(world, 'outbox')
    .map((row) => row.payload)
    .filter((payload) => 'kind' in payload && 'about' in payload),
  truths: [
    ...[...cards.books.payments.values()].map(
      (payment): Truth => ({
        rail: CARDS,
        payment: payment.id,
        order: payment.order,
        received: payment.cents,
        returned: returnedOf(payment),
        refunds: payment.refunds,
      }),
    ),
    ...read<InvoiceRow>(world, 'invoices')
      .filter(({ state }) => state === 'paid')
      .map((invoice): Truth => {
        const refunds = new Map(invoice.refunds.map(({ key, amount_cents }) => [key, amount_cents]));
        const returned = sum([...refunds.values()]);
        const { order_id: order, amount_cents: received } = invoice;
        return { rail: 'invoice', payment: `invoice_${invoice._id}`, order, received, returned, refunds };
      }),
  ],
});

/** Whether no payment, repayment or event is still on its way. */
export const moneyIsAtRest = (world: World): boolean =>
  world.cards === null ||
  (world.cards.idle &&
    read<Refund>(world, 'refunds').every(({ state }) => state !== 'open') &&
    read<PaymentEvent>(world, 'payment_events').every(({ state }) => state !== 'new' && state !== 'parked') &&
    [...world.cards.books.payments.keys()].every((id) =>
      read<LedgerEntry>(world, 'ledger').some(({ rail_ref }) => rail_ref === id),
    ));

/** What the ledger, credits and repayments say differently from the rails, or from each other. */
export const moneyFaults = (world: World): string[] => {
  const { cards } = world;
  if (cards === null) return [];
  const books = booksOf(world, cards);
  return [
    ...cards.books.violations,
    ...received(books),
    ...repaid(books),
    ...credited(books),
    ...books.orders.flatMap((order) => ofOrder(order, books, cards)),
    ...books.events
      .filter(({ state }) => state === 'new' || state === 'parked')
      .map(({ state }) => `I21: a payment event is still ${state}`),
  ];
};

/** I21: the ledger has each payment of a rail once, and no other. */
const received = ({ ledger, truths }: Books): string[] => {
  const charges = ledger.filter(({ kind }) => kind === 'charge' || kind === 'stray_charge');
  return [
    ...truths.flatMap(({ rail, payment, order, received: cents }) => {
      const booked = charges.filter((one) => one.rail === rail && one.rail_ref === payment);
      const isRight = booked.length === 1 && booked[0]?.amount_cents === cents && booked[0].order_id === order;
      return isRight ? [] : [`I21: a payment of ${cents} is booked ${booked.length} times`];
    }),
    ...charges
      .filter((one) => !truths.some(({ rail, payment }) => rail === one.rail && payment === one.rail_ref))
      .map(({ rail }) => `I21: ${rail} never received a payment that is booked`),
  ];
};

/** I21: each repayment ends; one that is done was made and is booked once, one that failed neither. */
const repaid = ({ ledger, refunds, truths, tasks, credits }: Books): string[] => [
  ...truths.flatMap(({ payment, returned }) => {
    const ofRail = ledger.filter((one) => isOfPayment(one, payment) && one.rail !== TRANSFER);
    const booked = -sum(ofRail.map((one) => one.amount_cents));
    return booked === returned ? [] : [`I21: the rail returned ${returned}, ${booked} are booked`];
  }),
  ...refunds.flatMap((refund) => {
    if (refund.state === 'open') return ['I21: a repayment never ended'];
    const made = truths.find(({ payment }) => payment === refund.payment)?.refunds.get(refund._id);
    const booked = ledger.filter(({ rail_ref }) => isNamedAlike(refundRefOfReturn(rail_ref), refundRefOf(refund)));
    const cents = -sum(booked.map(({ amount_cents }) => amount_cents));
    const isDone = refund.state === 'done';
    const faults: string[] = [];
    const isMade = refund.by_transfer === true ? isDone : made === refund.amount_cents;
    if (isMade !== isDone) faults.push(`I21: a repayment is ${refund.state}, made ${made}`);
    const isRight = refund.state === 'failed' ? booked.length === 0 : cents === (isDone ? refund.amount_cents : 0);
    if (!isRight) faults.push(`I75: a repayment is ${refund.state}, booked with ${cents}`);
    const hasTask = tasks.some(({ kind, about }) => kind === 'refund_failed' && about.order_id === refund.order_id);
    // What came back is owed to nobody where the same money was returned at the rail meanwhile.
    const isOwed = credits.some(({ order_id, state }) => order_id === refund.order_id && state === 'due');
    const needsTask = refund.state === 'failed' || (refund.state === 'returned' && isOwed);
    if (needsTask && !hasTask) faults.push(`I75: a repayment is ${refund.state} without a task`);
    return faults;
  }),
];

/** I21: a credit is refunded by one repayment, which is in the ledger; before that, by none. */
const credited = ({ credits, refunds, ledger }: Books): string[] =>
  credits.flatMap((credit) => {
    const asked = refunds.filter((one) => creditsPaidBy(one).includes(credit._id) && one.state === 'done').length;
    const entries = ledger.filter((one) => one.order_id === credit.order_id);
    const isBooked = keptRefunds(entries).some(({ rail_ref }) => rail_ref === credit.repaid_by);
    const isRefunded = credit.state === 'refunded';
    return isBooked === isRefunded && asked <= (isRefunded ? 1 : 0)
      ? []
      : [`I21: a credit is ${credit.state}, paid ${asked} times`];
  });

/** I19, I21, I23: no cent of an order is in two places, and no money of one that is cancelled is taken for its own. */
const ofOrder = (order: Order, { ledger, credits: all, tasks }: Books, cards: CardRail): string[] => {
  const faults: string[] = [];
  const entries = ledger.filter((one) => one.order_id === order._id).sort((one, other) => one.seq - other.seq);
  const credits = all.filter((one) => one.order_id === order._id);
  if ((order.refunding ?? null) !== null) faults.push('I21: an order still waits for a repayment');
  if (entries.some(({ seq }, at) => seq !== at + 1)) faults.push('I23: the entries of a ledger are not in one order');

  const cancelled = entries.find(({ kind }) => kind === 'cancel')?.seq ?? Number.POSITIVE_INFINITY;
  if (entries.some(({ kind, seq }) => kind === 'charge' && seq > cancelled))
    faults.push('I21: an order was paid after it was cancelled');
  const hasTask = tasks.some(({ kind, about }) => kind === 'stray_charge' && about.order_id === order._id);
  if (entries.some(({ kind }) => kind === 'stray_charge') && !hasTask) faults.push('I21: stray money without a task');
  const { sessions } = cards.books;
  const isPayable = [...sessions.values()].some((one) => one.order === order._id && one.state === 'open');
  if (order.payment_state === 'cancelled' && isPayable) faults.push('I19: a cancelled order can still be paid');

  const money = moneyOf(order, entries, credits);
  const refunded = sum(money.refunds.map((one) => one.kept_cents));
  const due = sum(credits.filter(({ state }) => state === 'due').map((one) => one.amount_cents));
  const left = money.received - refunded;
  if (money.received !== refunded + money.committed + money.unused || money.committed < 0)
    faults.push(`I23: ${money.received} received, ${refunded} refunded, ${money.committed} committed`);
  if (money.unused !== due) faults.push(`I76: ${money.unused} unused, ${due} due of ${left}`);
  for (const { line_id, price_cents } of order.lines) {
    const ofLine = credits.filter((one) => one.line_id === line_id && one.state !== 'waived');
    if (sum(ofLine.map((one) => one.amount_cents)) > price_cents)
      faults.push('I23: the credits of a line exceed its price');
  }
  return faults;
};
