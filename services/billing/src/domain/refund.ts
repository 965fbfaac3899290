import type { Credit } from './credit.js';
import { type LedgerEntry, straySum } from './order-state.js';

/**
 * Stored before its rail is called, so that a lost answer is asked for again under the same id
 * (docs/domain/orders.md#refunds).
 */
export type Refund = {
  _id: string;
  ws: string;
  order_id: string;
  rail: string;
  payment: string;
  stray: boolean;
  amount_cents: number;
  line_id: string | null;
  credit_id: string | null;
  /** Once the refund is done, only those that it did pay. */
  credit_ids?: string[];
  /** Whether the credit was made by this request, and ends if it is refused. */
  makes_credit: boolean;
  cause: string;
  actor: string;
  bank_reference: string | null;
  by_transfer?: true;
  /** `returned`: it was made, and the money came back. */
  state: 'open' | 'done' | 'failed' | 'returned';
  problem: string | null;
  at: Date;
};

export type Repayable = { rail: string; payment: string; stray: boolean; left: number };

export const refundRefOf = ({ payment, _id }: Pick<Refund, 'payment' | '_id'>): string => `${payment}#${_id}`;

export const TRANSFER = 'transfer';

export const creditsPaidBy = ({ credit_id, credit_ids }: Pick<Refund, 'credit_id' | 'credit_ids'>): readonly string[] =>
  credit_ids ?? (credit_id === null ? [] : [credit_id]);

/** `kept_cents` is what of it did not come back. */
export type KeptRefund = LedgerEntry & { kept_cents: number };

const RETURNED_AS = { refund: 'refund_returned', stray_refund: 'stray_refund_returned' } as const;

const isRefund = (entry: LedgerEntry): entry is LedgerEntry & { kind: keyof typeof RETURNED_AS } =>
  entry.kind === 'refund' || entry.kind === 'stray_refund';

export const keptRefunds = (entries: readonly LedgerEntry[]): KeptRefund[] =>
  entries
    .filter(isRefund)
    .map((entry) => ({ ...entry, kept_cents: -entry.amount_cents - cameBackOf(entry, entries) }))
    .filter(({ kept_cents }) => kept_cents > 0);

const cameBackOf = (
  { kind, rail_ref: ref }: LedgerEntry & { kind: keyof typeof RETURNED_AS },
  entries: readonly LedgerEntry[],
): number =>
  entries.reduce(
    (sum, one) =>
      one.kind === RETURNED_AS[kind] && refundRefOfReturn(one.rail_ref) === ref ? sum + one.amount_cents : sum,
    0,
  );

export const refundRefOfReturn = (ref: string): string => ref.replace(/~\d+$/, '');

/** A refund that comes back in parts has a counter-entry for each. */
export const returnOf = (
  { kind, rail_ref: ref, line_id }: KeptRefund,
  cents: number,
  cause: string,
  entries: readonly LedgerEntry[],
): Pick<LedgerEntry, 'kind' | 'amount_cents' | 'rail_ref' | 'cause' | 'line_id'> => {
  const as = kind === 'stray_refund' ? RETURNED_AS.stray_refund : RETURNED_AS.refund;
  const earlier = entries.filter((one) => one.kind === as && refundRefOfReturn(one.rail_ref) === ref).length;
  return { kind: as, amount_cents: cents, rail_ref: earlier === 0 ? ref : `${ref}~${earlier + 1}`, cause, line_id };
};

export const nextRefOf = (entries: readonly Pick<LedgerEntry, 'rail_ref'>[], name: string): string => {
  const known = new Set(
    entries.map(({ rail_ref }) => refundRefOfReturn(rail_ref)).filter((one) => isNamedAlike(one, name)),
  );
  return known.size === 0 ? name : `${name}.${known.size + 1}`;
};

export const isNamedAlike = (ref: string, name: string): boolean => ref === name || ref.startsWith(`${name}.`);

export const refundNameOf = (ref: string): string => refundRefOfReturn(ref).replace(/\.\d+$/, '');

export const isOfPayment = (entry: Pick<LedgerEntry, 'rail_ref'>, payment: string): boolean =>
  entry.rail_ref.startsWith(`${payment}#`);

/** Oldest first; negative when more went back than was paid. */
export const strayByPayment = (entries: readonly LedgerEntry[]): { payment: string; cents: number }[] => {
  const charges = entries.filter(({ kind }) => kind === 'charge' || kind === 'stray_charge');
  return [...new Set(charges.map(({ rail_ref }) => rail_ref))].map((payment) => ({
    payment,
    cents: straySum(entries.filter((one) => one.rail_ref === payment || isOfPayment(one, payment))),
  }));
};

/** The refunds by which more of a payment went back than was paid, newest first, each with how much that is. */
export const excessOf = (entries: readonly LedgerEntry[], payment: string): KeptRefund[] => {
  let open = -(strayByPayment(entries).find((one) => one.payment === payment)?.cents ?? 0);
  const excess: KeptRefund[] = [];
  for (const one of keptRefunds(entries).toReversed()) {
    if (open <= 0) break;
    if (one.kind !== 'stray_refund' || !isOfPayment(one, payment)) continue;
    const cents = Math.min(open, one.kept_cents);
    open -= cents;
    excess.push({ ...one, kept_cents: cents });
  }
  return excess;
};

const acceptedOf = (entries: readonly LedgerEntry[], payment: string): number =>
  entries.reduce(
    (sum, one) => (one.kind === 'stray_accepted' && one.rail_ref === payment ? sum - one.amount_cents : sum),
    0,
  );

/** Oldest first. */
export const repayableOf = (
  entries: readonly LedgerEntry[],
  open: readonly Pick<Refund, 'payment' | 'amount_cents' | 'stray'>[],
): Repayable[] =>
  entries
    .filter(({ kind }) => kind === 'charge' || kind === 'stray_charge')
    .map(({ kind, rail, rail_ref: payment, amount_cents: cents }) => {
      const stray = kind === 'stray_charge';
      const returned = keptRefunds(entries).reduce(
        (sum, one) =>
          (one.kind === 'stray_refund') === stray && isOfPayment(one, payment) ? sum + one.kept_cents : sum,
        0,
      );
      const asked = open.reduce(
        (sum, one) => (one.payment === payment && one.stray === stray ? sum + one.amount_cents : sum),
        0,
      );
      const accepted = stray ? acceptedOf(entries, payment) : 0;
      return { rail, payment, stray, left: cents - accepted - returned - asked };
    });

export const dueCredits = ({
  credits,
  openRefunds,
}: {
  credits: readonly Credit[];
  openRefunds: readonly Pick<Refund, 'credit_id' | 'credit_ids'>[];
}): number => unpaidCredits(credits, openRefunds).reduce((sum, one) => sum + one.amount_cents, 0);

export const unpaidCredits = (
  credits: readonly Credit[],
  openRefunds: readonly Pick<Refund, 'credit_id' | 'credit_ids'>[],
): Credit[] =>
  credits.filter(({ _id, state }) => state === 'due' && !openRefunds.some((one) => creditsPaidBy(one).includes(_id)));

/** What is left of the order's own payment for new credits, in US cents: not repaid, asked for or owed. */
export const roomForCredits = (
  entries: readonly LedgerEntry[],
  credits: readonly Credit[],
  openRefunds: readonly Pick<Refund, 'payment' | 'stray' | 'amount_cents' | 'credit_id' | 'credit_ids'>[],
): number =>
  repayableOf(entries, openRefunds).reduce((sum, one) => (one.stray ? sum : sum + one.left), 0) -
  dueCredits({ credits, openRefunds });
