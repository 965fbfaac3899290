import type { PlanLine } from '@cds/contracts';
import type { Key, Line, Refused } from './plans.js';
import { conflict } from './refusals.js';

/**
 * Orders as the reference model has them, written from docs/domain/orders.md#payment-states,
 * docs/domain/orders.md#credits and docs/domain/orders.md#refunds alone and independent of the services. A refund that
 * is accepted counts as made: the sandbox rail refuses none.
 */
export type Order = {
  id: string;
  key: Key;
  /** Where its cents count. */
  month: string;
  signedOn: string;
  totalCents: number;
  lines: readonly Pick<Line, 'id' | 'priceCents'>[];
  state: 'unpaid' | 'processing' | 'paid' | 'partially_refunded' | 'refunded' | 'cancelled';
  wasPaid: boolean;
  refundedCents: number;
  credits: Credit[];
  /** Ids of the credits that fulfilment made. */
  owed?: Set<string>;
};
export type Credit = { line: string; cents: number; state: 'due' | 'refunded' };

export type Outcome = 'paid' | 'declined' | 'pending' | 'settled' | 'failed' | 'expired';

const UNPROCESSABLE: Refused = { status: 422, code: 'unprocessable' };
const BAD_STATE = conflict('bad_state');

const MOVES: Readonly<Record<Outcome, { from: Order['state']; to: Order['state'] }>> = {
  paid: { from: 'unpaid', to: 'paid' },
  declined: { from: 'unpaid', to: 'unpaid' },
  expired: { from: 'unpaid', to: 'unpaid' },
  pending: { from: 'unpaid', to: 'processing' },
  settled: { from: 'processing', to: 'paid' },
  failed: { from: 'processing', to: 'unpaid' },
};

/** The sandbox plays the payment; only what fits the state can happen. */
export const play = (order: Order, outcome: Outcome): Refused | null => {
  const { from, to } = MOVES[outcome];
  if (order.state !== from) return BAD_STATE;
  order.state = to;
  order.wasPaid ||= to === 'paid';
  return null;
};

const isPaid = ({ state }: Order): boolean => state === 'paid' || state === 'partially_refunded';

/** A person of the brand cancels only what nobody has paid or is paying. */
export const brandRefusal = (order: Order): Refused | null => {
  if (order.state === 'unpaid') return null;
  if (order.state === 'processing') return conflict('order_processing');
  return order.state === 'cancelled' ? BAD_STATE : conflict('order_paid');
};

/** The team also cancels what is paid; a payment that is on its way has to arrive or fail first. */
export const teamRefusal = (order: Order): Refused | null =>
  order.state === 'unpaid' || isPaid(order) ? null : BAD_STATE;

const dueOf = ({ credits }: Order): number =>
  credits.reduce((sum, one) => (one.state === 'due' ? sum + one.cents : sum), 0);
const uncredited = ({ credits }: Order, { id, priceCents }: Order['lines'][number]): number =>
  credits.reduce((sum, one) => (one.line === id ? sum - one.cents : sum), priceCents);
/** What of the payment neither a refund nor a due credit has. */
const leftOf = (order: Order): number =>
  order.wasPaid ? Math.max(0, order.totalCents - order.refundedCents - dueOf(order)) : 0;

/**
 * Takes over what fulfilment owes, which tests/model/fulfilment.test.ts proves: here it only has to fit what is left.
 * An order whose lines have all ended is cancelled.
 */
export const adopt = (
  order: Order,
  made: readonly { id: string; line: string; cents: number }[],
  ended: boolean,
): void => {
  order.owed ??= new Set();
  for (const { id, line, cents } of made) {
    if (order.owed.has(id)) continue;
    const of = order.lines.find((one) => one.id === line);
    if (of === undefined || cents > uncredited(order, of) || cents > leftOf(order))
      throw new Error(`fulfilment owes ${cents} cents of line ${line}, which is more than is left`);
    order.owed.add(id);
    order.credits.push({ line, cents, state: 'due' });
  }
  if (ended && isPaid(order)) order.state = 'cancelled';
};

/** How far fulfilment has come with a line, as the brand reads it, at a business time. */
export type Reached = { status: PlanLine['status']; date: string; at: Date };

const FULL_CREDIT_MS = 48 * 3_600_000;

/** What a line owes that the team cancels, in US cents; its price if it was never on offer. */
const owedOf = ({ priceCents }: Order['lines'][number], reached: Reached | undefined): number => {
  switch (reached?.status) {
    case undefined:
    case 'planned':
    case 'blocked':
      return priceCents;
    case 'booked': {
      const isFar = Date.parse(`${reached.date}T00:00:00Z`) - reached.at.getTime() >= FULL_CREDIT_MS;
      return isFar ? priceCents : Math.floor(priceCents / 2);
    }
    case 'live':
    case 'completed':
    case 'cancelled':
      return 0;
  }
};

/**
 * Cancels an order. A paid one owes the brand what the table of credits gives each line that has come so far, as far as
 * its payment goes: a refund that named no line returned money of the last lines first.
 */
export const cancel = (order: Order, reached: ReadonlyMap<string, Reached> = new Map()): void => {
  if (isPaid(order)) {
    let left = leftOf(order);
    for (const line of order.lines) {
      const most = uncredited(order, line);
      const cents = Math.min(owedOf(line, reached.get(line.id)), most, left);
      left -= most;
      if (cents > 0) order.credits.push({ line: line.id, cents, state: 'due' });
    }
  }
  order.state = 'cancelled';
};

/** Repays a part of the payment; one for a line is a credit of that line. */
export const refund = (order: Order, cents: number, line: Order['lines'][number] | undefined): Refused | null => {
  if (line !== undefined && cents > uncredited(order, line)) return UNPROCESSABLE;
  const left = leftOf(order);
  if (left <= 0) return BAD_STATE;
  if (cents > left) return UNPROCESSABLE;
  if (line !== undefined) order.credits.push({ line: line.id, cents, state: 'refunded' });
  repaid(order, cents);
  return null;
};

export const payCredit = (order: Order, credit: Credit): Refused | null => {
  if (credit.state !== 'due') return BAD_STATE;
  credit.state = 'refunded';
  repaid(order, credit.cents);
  return null;
};

const repaid = (order: Order, cents: number): void => {
  order.refundedCents += cents;
  if (order.refundedCents === order.totalCents) order.state = 'refunded';
  else if (order.state !== 'cancelled') order.state = 'partially_refunded';
};

/** Credits have no order of their own. */
export const byText = (one: string, other: string): number => (one < other ? -1 : 1);

/** Where its money is: received = refunds + committed + unused. */
export const moneyOf = (order: Order) => {
  const received = order.wasPaid ? order.totalCents : 0;
  let room = order.state === 'refunded' ? 0 : leftOf(order);
  const lines = order.lines.map((line) => {
    const committed = Math.min(uncredited(order, line), room);
    room -= committed;
    return { line_id: line.id, committed_cents: committed };
  });
  const committed = lines.reduce((sum, one) => sum + one.committed_cents, 0);
  return {
    payment_state: order.state,
    total_cents: order.totalCents,
    received_cents: received,
    refunded_cents: order.refundedCents,
    committed_cents: committed,
    unused_cents: received - order.refundedCents - committed,
    stray_cents: 0,
    credits: order.credits.map(({ line, cents, state }) => `${line} ${cents} ${state}`).sort(byText),
    lines,
  };
};
