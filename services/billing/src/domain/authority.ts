import type { ErrorBody, PaymentOption, Principal, Rail } from '@cds/contracts';
import { MAX_HOLDS } from './constants.js';

// What one key may still sign (docs/reliability.md#authority): a gate, a counter per month, and its unfinished
// approves. One statement compares the counter with the mandate's cap; the cap itself is never stored.

/** What an approve's answer shows of rails, terms and spend, as of when the cents were reserved. */
export type HeldFacts = {
  payment_options: PaymentOption[];
  agent_payment: 'checkout' | 'team_invoice';
  current_terms: { version: string; number: number } | null;
  accepted_terms_number: number | null;
  terms_url: string;
  spent_cents: number;
};

/** An unfinished approve, with all it takes to finish it; `until` is a courtesy to other runners, never a guard. */
export type Hold = {
  signing_id: string;
  command_id: string;
  command_fp: string;
  ws: string;
  plan_id: string;
  plan_version: number;
  terms_fingerprint: string;
  total_cents: number;
  month: string;
  approved_at: Date;
  order_id: string;
  /** Encrypted; see pay-token.ts. */
  pay_token: string;
  rail: Rail;
  mandate_version: number;
  terms_version: string | null;
  until: Date;
  /** A refusal decided before anything was reserved; such a hold has 0 cents. */
  refusal?: ErrorBody;
  principal: Principal;
  facts: HeldFacts;
  /** The kinds of task already opened for the operator about this hold. */
  reported?: string[];
};

export type Authority = {
  _id: string;
  ws: string;
  min_mandate_version: number;
  months: Record<string, { held: number }>;
  holds: Hold[];
  /** The last other write that recorded its answer under a command of this key; see Authorities.touchUnheld. */
  touched_by?: string;
};

/** One key's authority and which of its holds' orders exist, read in one snapshot; `now` is database time. */
export type AuthorityView = { authority: Authority; written: ReadonlySet<string>; now: Date };

/** A month's held cents, spent and unfinished together. */
export const heldCents = (view: AuthorityView, month: string): number => view.authority.months[month]?.held ?? 0;

/**
 * What the key has spent in a month: held cents minus the holds whose order does not exist. An answered approval counts
 * at once, even before its hold is cleaned up (docs/reliability.md#authority).
 */
export const spentCents = (view: AuthorityView, month: string): number =>
  view.authority.holds
    .filter((hold) => hold.month === month && !view.written.has(hold.order_id))
    .reduce((spent, hold) => spent - hold.total_cents, heldCents(view, month));

/** A command's existing hold, if any. */
export const holdOf = (view: AuthorityView, commandId: string): Hold | undefined =>
  view.authority.holds.find((hold) => hold.command_id === commandId);

/** Why a reserve matched nothing, which decides what its runner does next. */
export type Miss =
  | { kind: 'mine' }
  | { kind: 'own_command'; hold: Hold }
  | { kind: 'gate' }
  | { kind: 'full' }
  | { kind: 'no_month' }
  | { kind: 'over_cap' }
  | { kind: 'wait' }
  | { kind: 'again' };

/**
 * Explains a reserve that matched nothing (docs/reliability.md#authority): its own hold landed after all, another run
 * of the command, a newer mandate, too many holds, a month without an entry, a spent cap, or only others' unfinished
 * holds in the way. The last are waited for and never become a stored refusal.
 */
export const missOf = (view: AuthorityView, hold: Hold, capCents: number): Miss => {
  const existing = holdOf(view, hold.command_id);
  if (existing !== undefined) {
    return existing.signing_id === hold.signing_id ? { kind: 'mine' } : { kind: 'own_command', hold: existing };
  }
  if (view.authority.min_mandate_version > hold.mandate_version) return { kind: 'gate' };
  if (view.authority.holds.length >= MAX_HOLDS) return { kind: 'full' };
  if (view.authority.months[hold.month] === undefined) return { kind: 'no_month' };
  if (spentCents(view, hold.month) + hold.total_cents > capCents) return { kind: 'over_cap' };
  if (heldCents(view, hold.month) + hold.total_cents > capCents) return { kind: 'wait' };
  return { kind: 'again' };
};
