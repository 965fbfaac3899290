import type { Credit } from '../domain/credit.js';
import type { LedgerEntry, LedgerKind } from '../domain/order-state.js';

export const AT = new Date('2026-11-21T12:00:00.000Z');
/** What Stripe itself reports. */
export const BY_STRIPE = { actor: 'rail:stripe', rail: 'stripe', at: AT };
export const LINES = [
  { line_id: 'a', price_cents: 700 },
  { line_id: 'b', price_cents: 300 },
];
export const CAMPAIGN = {
  campaign_id: 'c',
  campaign_number: 1,
  campaign: 'Orbit',
  company: null,
  product: null,
  launch_window_start: '2026-12-01',
  launch_window_end: '2026-12-20',
};

/** An entry of the ledger of order `order`. */
export const anEntry = (
  kind: LedgerKind,
  rail_ref: string,
  amount_cents: number,
  over: Partial<LedgerEntry> = {},
): LedgerEntry => ({
  ...{ _id: `${kind} ${rail_ref}`, ws: 'ws', order_id: 'order', seq: 1, line_id: null, cause: 'a test' },
  ...{ kind, rail_ref, amount_cents, ...BY_STRIPE, ...over },
});

/** A due credit of a line of it. */
export const aCredit = (line_id: string, amount_cents: number, over: Partial<Credit> = {}): Credit => ({
  ...{ _id: `${line_id}-${amount_cents}`, ws: 'ws', order_id: 'order', line_id, cause: 'remedy', amount_cents },
  ...{ state: 'due', note: null, actor: 'op', at: AT, ...over },
});
