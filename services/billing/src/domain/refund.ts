import type { Credit } from './credit.js';
import type { LedgerEntry } from './order-state.js';

/**
 * A repayment that the team asked for. It is stored before its rail is called, so that a lost answer is asked for again
 * under the same id; the ledger gets its entry when the rail has confirmed it. Source: docs/domain/orders.md#refunds.
 */
export type Refund = {
  _id: string;
  ws: string;
  order_id: string;
  /** The rail of the payment and its reference there. */
  rail: string;
  payment: string;
  /** Whether the payment is a stray charge. */
  stray: boolean;
  amount_cents: number;
  line_id: string | null;
  credit_id: string | null;
  /** Whether the credit was made with the request, and ends with its refusal. */
  makes_credit: boolean;
  cause: string;
  actor: string;
  /** The team's own transfer, where the rail cannot repay. */
  bank_reference: string | null;
  state: 'open' | 'done' | 'failed';
  /** What the rail answered when it refused. */
  problem: string | null;
  at: Date;
};

/** A payment that can be repaid, and what is left of it, in US cents. */
export type Repayable = { rail: string; payment: string; stray: boolean; left: number };

/** The ledger's reference of a refund that we asked for. */
export const refundRefOf = ({ payment, _id }: Pick<Refund, 'payment' | '_id'>): string => `${payment}#${_id}`;

/** Whether a ledger entry returns money of this payment. */
export const isOfPayment = (entry: Pick<LedgerEntry, 'rail_ref'>, payment: string): boolean =>
  entry.rail_ref.startsWith(`${payment}#`);

/** Every payment of an order, oldest first, with what neither a refund nor an open request has taken of it. */
export const repayableOf = (
  entries: readonly LedgerEntry[],
  open: readonly Pick<Refund, 'payment' | 'amount_cents'>[],
): Repayable[] =>
  entries
    .filter(({ kind }) => kind === 'charge' || kind === 'stray_charge')
    .map(({ kind, rail, rail_ref: payment, amount_cents: cents }) => {
      const returned = entries.reduce(
        (sum, entry) =>
          (entry.kind === 'refund' || entry.kind === 'stray_refund') && isOfPayment(entry, payment)
            ? sum - entry.amount_cents
            : sum,
        0,
      );
      const asked = open.reduce((sum, one) => (one.payment === payment ? sum + one.amount_cents : sum), 0);
      return { rail, payment, stray: kind === 'stray_charge', left: cents - returned - asked };
    });

/** Due credits that no open repayment pays out yet, in US cents. */
export const dueCredits = ({
  credits,
  openRefunds,
}: {
  credits: readonly Credit[];
  openRefunds: readonly Pick<Refund, 'credit_id'>[];
}): number =>
  credits.reduce(
    (sum, one) =>
      one.state === 'due' && !openRefunds.some(({ credit_id }) => credit_id === one._id) ? sum + one.amount_cents : sum,
    0,
  );

/** What is left of an order's own payment for new credits, in US cents: neither repaid, nor asked for, nor owed. */
export const roomForCredits = (
  entries: readonly LedgerEntry[],
  credits: readonly Credit[],
  openRefunds: readonly Pick<Refund, 'payment' | 'amount_cents' | 'credit_id'>[],
): number =>
  repayableOf(entries, openRefunds).reduce((sum, one) => (one.stray ? sum : sum + one.left), 0) -
  dueCredits({ credits, openRefunds });
