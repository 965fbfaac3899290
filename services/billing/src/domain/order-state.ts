import type { PaymentState } from '@cds/contracts';

export const LEDGER_KINDS = [
  'signed',
  'pending',
  'failed',
  'cancel',
  'give_back',
  'charge',
  'stray_charge',
  'stray_accepted',
  'refund',
  'refund_returned',
  'stray_refund',
  'stray_refund_returned',
  'disputed',
  'dispute_won',
] as const;
export type LedgerKind = (typeof LEDGER_KINDS)[number];

/** Append-only. Refunds are negative; one that came back has a counter-entry under its own reference. */
export type LedgerEntry = {
  _id: string;
  ws: string;
  order_id: string;
  seq: number;
  kind: LedgerKind;
  amount_cents: number;
  rail: string;
  rail_ref: string;
  line_id: string | null;
  cause: string;
  actor: string;
  at: Date;
};

export const sumOf = (entries: readonly LedgerEntry[], ...kinds: LedgerKind[]): number =>
  entries.reduce((sum, entry) => (kinds.includes(entry.kind) ? sum + entry.amount_cents : sum), 0);

export const ledgerSum = (entries: readonly LedgerEntry[]): number =>
  sumOf(entries, 'charge', 'refund', 'refund_returned') + straySum(entries);

/** Money that was not expected, minus what was returned or accepted as payment, in cents. */
export const straySum = (entries: readonly LedgerEntry[]): number =>
  sumOf(entries, 'stray_charge', 'stray_accepted', 'stray_refund', 'stray_refund_returned');

export const refundedOf = (entries: readonly LedgerEntry[]): number => -sumOf(entries, 'refund', 'refund_returned');

/** The first rule that fits decides. Entries come oldest first. Source: docs/domain/orders.md#ledger. */
export const stateOf = (entries: readonly LedgerEntry[]): PaymentState => {
  const charges = sumOf(entries, 'charge');
  const refunds = refundedOf(entries);
  if (refunds > 0 && refunds === charges) return 'refunded';
  if (entries.some((entry) => entry.kind === 'cancel')) return 'cancelled';
  if (refunds > 0) return 'partially_refunded';
  if (charges > 0) return 'paid';
  const newest = entries.findLast((entry) => entry.kind === 'pending' || entry.kind === 'failed');
  return newest?.kind === 'pending' ? 'processing' : 'unpaid';
};
