import {
  type BrandOrder,
  type BrandRole,
  type CreditCause,
  type CreditState,
  type ErrorBody,
  hasRole,
  type LineMoney,
  PAYMENT_STATES,
  type PaymentState,
} from '@cds/contracts';
import { day, moment, money, plural, stateLabel } from '../foundation/format.js';
import { errorAt, type FieldNames, type Shown, shownOf } from '../foundation/problems.js';

const PATH = '/developers/orders';

export type OrdersFilter = { state: PaymentState | null; cursor: string };

/** Reads the filter from an address; a state that it does not know is all of them. */
export const ordersFilter = (value: (name: string) => string): OrdersFilter => ({
  state: PAYMENT_STATES.find((state) => state === value('state')) ?? null,
  cursor: value('cursor'),
});

export const ordersQuery = ({ state, cursor }: OrdersFilter, limit: number): Record<string, string> => ({
  limit: String(limit),
  ...(state === null ? {} : { payment_state: state }),
  ...(cursor === '' ? {} : { cursor }),
});

const hrefOf = (path: string, { state, cursor }: OrdersFilter): string => {
  const query = new URLSearchParams();
  if (state !== null) query.set('state', state);
  if (cursor !== '') query.set('cursor', cursor);
  return query.size === 0 ? path : `${path}?${query}`;
};

export const ordersHref = (filter: OrdersFilter): string => hrefOf(PATH, filter);

const STATE_KINDS: Readonly<Record<PaymentState, string>> = {
  unpaid: 'warn',
  processing: 'warn',
  paid: 'good',
  partially_refunded: 'good',
  refunded: 'off',
  cancelled: 'off',
};

const stateOf = (state: PaymentState) => ({ kind: STATE_KINDS[state], label: stateLabel(state) });

const sum = (amounts: readonly { amount_cents: number }[]): number =>
  amounts.reduce((total, { amount_cents }) => total + amount_cents, 0);

export const refundedOf = ({ refunds }: BrandOrder): number => sum(refunds);

export const creditsDueOf = ({ credits }: BrandOrder): number => sum(credits.filter(({ state }) => state === 'due'));

/** Amounts besides the total that are not zero: what went back, and what is owed. */
const backOf = (order: BrandOrder): string[] => {
  const shown = (cents: number, words: string): string[] =>
    cents === 0 ? [] : [`${money(cents, order.currency)} ${words}`];
  return [
    ...shown(refundedOf(order), 'refunded'),
    ...shown(creditsDueOf(order), 'credited'),
    ...shown(order.stray_cents, 'paid twice, to be returned'),
  ];
};

const orderRow = (order: BrandOrder) => ({
  href: `${PATH}/${order.id}`,
  number: order.order_number,
  campaign: order.campaign,
  signed: day(order.signed_at),
  state: stateOf(order.payment_state),
  total: money(order.total_cents, order.currency),
  back: backOf(order),
  payUrl: order.payment?.url ?? null,
  receiptUrl: order.receipt_url,
});

export const ordersModel = (filter: OrdersFilter, listed: { orders: readonly BrandOrder[]; next: string | null }) => ({
  filter,
  states: {
    label: 'State',
    items: [null, ...PAYMENT_STATES].map((state) => ({
      href: ordersHref({ state, cursor: '' }),
      label: state === null ? 'All' : stateLabel(state),
      current: state === filter.state,
    })),
  },
  csvHref: hrefOf(`${PATH}.csv`, { ...filter, cursor: '' }),
  rows: listed.orders.map(orderRow),
  pages: {
    first: filter.cursor === '' ? null : ordersHref({ ...filter, cursor: '' }),
    next: listed.next === null ? null : ordersHref({ ...filter, cursor: listed.next }),
  },
});

const MONEY_WORDS: Readonly<Record<LineMoney, { kind: string; label: string }>> = {
  awaiting_payment: { kind: 'warn', label: 'Waits for payment' },
  given_back: { kind: 'off', label: 'Cancelled before payment' },
  committed: { kind: 'good', label: 'Pays for the post' },
  credited: { kind: 'warn', label: 'Credited to you' },
  refunded: { kind: 'off', label: 'Paid back' },
};

const CREDIT_WORDS: Readonly<Record<CreditState, { kind: string; label: string }>> = {
  due: { kind: 'warn', label: 'Owed to you' },
  refunded: { kind: 'good', label: 'Paid back' },
  waived: { kind: 'off', label: 'Given up' },
};

const CAUSE_WORDS: Readonly<Record<CreditCause, string>> = {
  cancelled: 'The post was cancelled',
  remedy: 'The post went wrong',
  unfilled: 'No creator took the post',
  undated: 'No day was booked',
  post_missing: 'The post never came',
  post_gone: 'The post was removed',
  no_disclosure: 'The post was not disclosed',
  cheaper: 'A replacement cost less',
  dispute: 'Your claim was accepted',
};

const lineName = ({ lines }: BrandOrder, lineId: string | null): string => {
  if (lineId === null) return 'Whole order';
  const line = lines.find(({ line_id }) => line_id === lineId);
  return line === undefined ? 'A line' : `Line ${line.number}`;
};

const figuresOf = (order: BrandOrder) => {
  const figure = (label: string, cents: number) => ({ label, value: money(cents, order.currency) });
  return [
    figure('Total', order.total_cents),
    figure('Received', order.received_cents),
    figure('Pays for posts', order.committed_cents),
    figure('Refunded', refundedOf(order)),
    ...(creditsDueOf(order) === 0 ? [] : [figure('Credited to you', creditsDueOf(order))]),
    ...(order.unused_cents === 0 ? [] : [figure('Not used', order.unused_cents)]),
    ...(order.stray_cents === 0 ? [] : [figure('Paid twice, to be returned', order.stray_cents)]),
  ];
};

export const orderModel = (order: BrandOrder, role: BrandRole) => ({
  order: {
    id: order.id,
    number: order.order_number,
    campaign: order.campaign,
    state: stateOf(order.payment_state),
    payUrl: order.payment?.url ?? null,
    receiptUrl: order.receipt_url,
    // A payment that is on its way has no last day any more.
    payBy: order.payment === null || order.payment_state !== 'unpaid' ? null : day(order.payment.expires_at),
    // Only a role that may sign sees the link, so others learn whom to ask.
    asksAdmin: order.payment === null && order.payment_state === 'unpaid' && !hasRole(role, 'admin'),
    cancelHref: order.payment_state === 'unpaid' && hasRole(role, 'admin') ? `${PATH}/${order.id}/cancel` : null,
  },
  figures: figuresOf(order),
  dates: [
    { label: 'Signed', value: moment(order.signed_at) },
    ...[
      { label: 'Paid', at: order.paid_at },
      { label: 'Refunded', at: order.refunded_at },
      { label: 'Cancelled', at: order.cancelled_at },
    ].flatMap(({ label, at }) => (at === null ? [] : [{ label, value: moment(at) }])),
  ],
  lines: order.lines.map((line) => ({
    name: `Line ${line.number}`,
    price: money(line.price_cents, order.currency),
    committed: money(line.committed_cents, order.currency),
    money: MONEY_WORDS[line.money],
  })),
  refunds: order.refunds.map((refund) => ({
    amount: money(refund.amount_cents, order.currency),
    line: lineName(order, refund.line_id),
    at: moment(refund.at),
  })),
  credits: order.credits.map((credit) => ({
    amount: money(credit.amount_cents, order.currency),
    line: lineName(order, credit.line_id),
    cause: CAUSE_WORDS[credit.cause],
    state: CREDIT_WORDS[credit.state],
  })),
});

const CANCEL_FIELDS: FieldNames = { reason: { field: 'reason', label: 'Reason' } };

/** Why an order is not cancelled, and what to do instead. */
const CANCEL_REFUSALS: Readonly<Record<string, string>> = {
  order_paid:
    'This order is paid, so only our team can cancel it. Write to them and name the posts; what is credited goes back the way the money came.',
  order_processing:
    'A payment for this order is on its way, so it cannot be cancelled now. Wait until it has arrived or failed, or write to our team.',
  bad_state: 'This order is cancelled already. There is nothing more to do.',
};

export const cancelRefused = (error: ErrorBody): Shown => {
  const known = CANCEL_REFUSALS[String(error.details?.['reason'])];
  return known === undefined ? shownOf(error, CANCEL_FIELDS) : { problems: [], notice: known };
};

export const cancelModel = (order: BrandOrder, reason: string, shown: Shown) => ({
  ...shown,
  heading: `Cancel the order for “${order.campaign}”?`,
  text: `It is worth ${money(order.total_cents, order.currency)} and has ${plural(order.lines.length, 'line')}. Its payment link closes, its posts are not made, and nothing is charged. The plan cannot be signed again; another attempt is a new campaign.`,
  open: order.payment_state === 'unpaid',
  back: `${PATH}/${order.id}`,
  reason: {
    name: 'reason',
    label: 'Reason',
    help: 'Stored in the audit of your company.',
    rows: 3,
    required: true,
    value: reason,
    error: errorAt(shown.problems, 'reason'),
  },
});
