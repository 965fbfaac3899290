import type { ApprovalEvidence, ErrorBody, PaymentOption, Principal, Rail } from '@cds/contracts';
import type { MandateAsked } from '@cds/rules';
import { ADMITTED_MS, MAX_HOLDS } from './constants.js';

export type HeldFacts = {
  payment_options: PaymentOption[];
  agent_payment: 'checkout' | 'team_invoice';
  current_terms: { version: string; number: number } | null;
  accepted_terms_number: number | null;
  terms_url: string;
  spent_cents: number;
  parent_spent_cents?: number;
};

/** An unfinished approve with all it takes to finish it. `until` is a courtesy to other runners, never a guard. */
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
  pay_token: string;
  rail: Rail;
  mandate_version: number;
  terms_version: string | null;
  until: Date;
  /** A refusal decided before the reservation; its hold has 0 cents. */
  refusal?: ErrorBody;
  /** The prices a mandate's refusal was decided at, for its receipt. A signing has them in its verdict. */
  evidence?: ApprovalEvidence;
  principal: Principal;
  facts: HeldFacts;
  /** The request, and what it asked of the mandate; recorded with the answer. */
  check?: { request_id: string; at: Date; asked: MandateAsked };
  reported?: string[];
};

/** Versions of the right below `below` have ended. `at` is database time. */
export type EndedRight = { below: number; at: Date };

export type Month = { held: number; children?: Record<string, { held: number }> };

export type Authority = {
  _id: string;
  ws: string;
  min_mandate_version: number;
  ended?: Record<string, EndedRight>;
  months: Record<string, Month>;
  holds: Hold[];
  /** The last other write that recorded its answer under a command of this key: see Authorities.touchUnheld. */
  touched_by?: string;
};

/** One key's authority and which of its holds' orders exist, read in one snapshot; `now` is database time. */
export type AuthorityView = { authority: Authority; written: ReadonlySet<string>; now: Date };

/** All but the newest month (or `begun`) and the one before, in which an approval may still end or be cancelled. */
export const monthsPast = (months: Authority['months'], begun?: string): string[] => {
  const all = Object.keys(months);
  const newest = begun ?? all.reduce((one, other) => (one > other ? one : other), '');
  return all.filter((month) => month < monthBefore(newest));
};

export const heldCents = (view: AuthorityView, month: string, child: string | null = null): number => {
  const counted = view.authority.months[month];
  return (child === null ? counted?.held : counted?.children?.[child]?.held) ?? 0;
};

/** An answered approval counts at once, even before its hold is cleaned up (docs/reliability.md#authority). */
export const spentCents = (view: AuthorityView, month: string, child: string | null = null): number =>
  view.authority.holds
    .filter((hold) => hold.month === month && !view.written.has(hold.order_id))
    .filter((hold) => child === null || hold.principal.key === child)
    .reduce((spent, hold) => spent - hold.total_cents, heldCents(view, month, child));

export const spentOf = (
  view: AuthorityView | null,
  month: string,
  { child }: Account,
): Pick<HeldFacts, 'spent_cents' | 'parent_spent_cents'> => ({
  spent_cents: view === null ? 0 : spentCents(view, month, child),
  ...(child !== null && { parent_spent_cents: view === null ? 0 : spentCents(view, month) }),
});

export const holdOf = (view: AuthorityView, commandId: string): Hold | undefined =>
  view.authority.holds.find((hold) => hold.command_id === commandId);

/** The mandate version that the gate is compared with: a child's approval ends with its parent's mandate. */
export const gatedVersion = ({ mandate_version, principal }: Pick<Hold, 'mandate_version' | 'principal'>): number =>
  principal.parent?.mandate_version ?? mandate_version;

/** By a newer mandate, or the end of a right that the hold depends on (docs/reliability.md#ended-rights). */
export const isGated = (
  { min_mandate_version, ended = {} }: Pick<Authority, 'min_mandate_version' | 'ended'>,
  hold: Pick<Hold, 'mandate_version' | 'principal'>,
): boolean =>
  min_mandate_version > gatedVersion(hold) ||
  Object.entries(hold.principal.rights ?? {}).some(([right, version]) => (ended[right]?.below ?? 0) > version);

/** In database time. A mandate expires by the workspace's clock. */
export const endOf = ({ principal, approved_at, check }: Pick<Hold, 'principal' | 'approved_at' | 'check'>): Date => {
  const admitted = (check?.at ?? approved_at).getTime();
  const { until, mandate } = principal;
  const ahead = approved_at.getTime() - admitted;
  return new Date(
    Math.min(
      admitted + ADMITTED_MS,
      until === undefined ? Number.POSITIVE_INFINITY : Date.parse(until),
      mandate === null ? Number.POSITIVE_INFINITY : Date.parse(mandate.expires_at) - ahead,
    ),
  );
};

export const lacksMonth = ({ authority }: AuthorityView, month: string, child: string | null): boolean => {
  const counted = authority.months[month];
  return counted === undefined || (child !== null && counted.children?.[child] === undefined);
};

export type Miss =
  | { kind: 'mine' }
  | { kind: 'own_command'; hold: Hold }
  | { kind: 'gate' }
  | { kind: 'full' }
  | { kind: 'no_month' }
  | { kind: 'over_cap' }
  | { kind: 'wait' }
  | { kind: 'again' };

/** Other approvals' unfinished holds are waited for; they never become a stored refusal. */
export const missOf = (view: AuthorityView, hold: Hold, caps: Caps): Miss => {
  const existing = holdOf(view, hold.command_id);
  if (existing !== undefined) {
    return existing.signing_id === hold.signing_id ? { kind: 'mine' } : { kind: 'own_command', hold: existing };
  }
  const { child } = accountOf(hold.principal);
  if (isGated(view.authority, hold) || view.now >= endOf(hold)) return { kind: 'gate' };
  if (view.authority.holds.length >= MAX_HOLDS) return { kind: 'full' };
  if (lacksMonth(view, hold.month, child)) return { kind: 'no_month' };
  const over = (cents: (of: string | null) => number): boolean =>
    cents(null) + hold.total_cents > caps.document ||
    (caps.child !== null && cents(child) + hold.total_cents > caps.child);
  if (over((of) => spentCents(view, hold.month, of))) return { kind: 'over_cap' };
  if (over((of) => heldCents(view, hold.month, of))) return { kind: 'wait' };
  return { kind: 'again' };
};

/** A child key counts against its parent's document: one statement guards both caps (docs/reliability.md#authority). */
export type Account = { document: string; child: string | null };

export const accountOf = ({ key, parent }: Pick<Principal, 'key' | 'parent'>): Account =>
  parent === undefined ? { document: key, child: null } : { document: parent.key, child: key };

/** Monthly caps in US cents. */
export type Caps = { document: number; child: number | null };

export const capsOf = ({ mandate, parent }: Pick<Principal, 'mandate' | 'parent'>): Caps => {
  const own = mandate?.monthly_cap_cents ?? 0;
  return parent === undefined ? { document: own, child: null } : { document: parent.monthly_cap_cents, child: own };
};

export const countersOf = ({ child }: Account, month: string): string[] => {
  const document = `months.${month}.held`;
  return child === null ? [document] : [document, `months.${month}.children.${child}.held`];
};

/** In UTC, as `YYYY-MM` (docs/domain/orders.md#spend). */
export const monthOf = (at: Date): string => at.toISOString().slice(0, 7);

export const monthBefore = (month: string): string => {
  const [year = 0, number = 0] = month.split('-').map(Number);
  return monthOf(new Date(Date.UTC(year, number - 2)));
};
