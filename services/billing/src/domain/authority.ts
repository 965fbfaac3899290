import type { ErrorBody, PaymentOption, Principal, Rail } from '@cds/contracts';
import { MAX_HOLDS } from './constants.js';

// What one key may still sign (reliability 3.4): a gate, a counter for each month, and the approves that are not
// finished. The counter is compared with the mandate's cap in one statement; the cap itself is never stored.

/** What the answer of an approve shows of rails, terms and spend, as it stood when the cents were reserved. */
export type HeldFacts = {
  payment_options: PaymentOption[];
  agent_payment: 'checkout' | 'team_invoice';
  current_terms: { version: string; number: number } | null;
  accepted_terms_number: number | null;
  terms_url: string;
  spent_cents: number;
};

/** An unfinished approve, with all that finishing it needs; `until` is a courtesy to other runners, never a guard. */
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
  /** A refusal decided before anything was reserved; such a hold carries 0 cents. */
  refusal?: ErrorBody;
  principal: Principal;
  facts: HeldFacts;
  /** The kinds of task that the operator has been given about this hold. */
  reported?: string[];
};

export type Authority = {
  _id: string;
  ws: string;
  min_mandate_version: number;
  months: Record<string, { held: number }>;
  holds: Hold[];
  /** The last other write that kept its record under a command of this key; see Authorities.touchUnheld. */
  touched_by?: string;
};

/** One key's authority and the orders of its holds that exist, read in one snapshot; `now` is database time. */
export type AuthorityView = { authority: Authority; written: ReadonlySet<string>; now: Date };

/** The held cents of a month, spent and unfinished together. */
export const heldCents = (view: AuthorityView, month: string): number => view.authority.months[month]?.held ?? 0;

/**
 * What the key has spent in a month: held cents less the holds whose order does not exist. An answered approval is in
 * it at once, whether its hold was tidied or not (reliability 3.4).
 */
export const spentCents = (view: AuthorityView, month: string): number =>
  view.authority.holds
    .filter((hold) => hold.month === month && !view.written.has(hold.order_id))
    .reduce((spent, hold) => spent - hold.total_cents, heldCents(view, month));

/** The standing hold of a command, if any. */
export const holdOf = (view: AuthorityView, commandId: string): Hold | undefined =>
  view.authority.holds.find((hold) => hold.command_id === commandId);

/** Why a reserve matched nothing, and so what its runner does next. */
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
 * Reads a reserve that matched nothing (reliability 3.4): its own hold after all, another run of the command, a newer
 * mandate, too many holds, a month without an entry, a spent cap, or only others' unfinished holds in the way, which
 * are waited for and never become a lasting refusal.
 */
export const missOf = (view: AuthorityView, hold: Hold, capCents: number): Miss => {
  const standing = holdOf(view, hold.command_id);
  if (standing !== undefined) {
    return standing.signing_id === hold.signing_id ? { kind: 'mine' } : { kind: 'own_command', hold: standing };
  }
  if (view.authority.min_mandate_version > hold.mandate_version) return { kind: 'gate' };
  if (view.authority.holds.length >= MAX_HOLDS) return { kind: 'full' };
  if (view.authority.months[hold.month] === undefined) return { kind: 'no_month' };
  if (spentCents(view, hold.month) + hold.total_cents > capCents) return { kind: 'over_cap' };
  if (heldCents(view, hold.month) + hold.total_cents > capCents) return { kind: 'wait' };
  return { kind: 'again' };
};
