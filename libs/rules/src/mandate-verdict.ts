import type { MandateReason, Principal, PrincipalMandate, Refusal } from '@cds/contracts';

/** The fields of a mandate that a write is judged by. */
export type MandateLimits = Pick<
  PrincipalMandate,
  'max_plan_cents' | 'monthly_cap_cents' | 'channels' | 'may_approve' | 'expires_at' | 'terms_version'
>;

/** The month of a child key's parent: its cap, and what it has spent with its children. Amounts in US cents. */
export type ParentMonth = { cap_cents: number; spent_cents: number };

/** The month of the asking key's parent; null for a key that no key made. */
export const parentMonthOf = (
  { parent }: Pick<Principal, 'parent'>,
  spentCents: number | undefined,
): ParentMonth | null => {
  if (parent === undefined) return null;
  if (spentCents === undefined) throw new Error("billing did not report what a child key's parent has spent");
  return { cap_cents: parent.monthly_cap_cents, spent_cents: spentCents };
};

/**
 * What a write asks of a mandate (docs/domain/orders.md#mandate-checks). A part that a write does not test, or has not
 * read yet, is empty or null. Amounts are integer US cents.
 */
export type MandateAsked = {
  /** Business time, ISO. */
  now: string;
  channels: readonly string[];
  /** Of an approve: the brand terms in force, and where a person reads them. */
  signing: { current_terms: string | null; terms_url: string | null } | null;
  /** The plan's total after the write. */
  total_cents: number | null;
  /** Of an approve: what the key had spent in the month, and for a child key the month of its parent. */
  spent_cents: number | null;
  parent: ParentMonth | null;
};

/** The figures and words of a mandate's refusal (docs/domain/orders.md#refusal-details). */
export type MandateDetails = Record<string, string | number | boolean | null | string[]>;

/** A mandate's refusal of a write. */
export type MandateRefusal = Refusal & { code: 'mandate_refused'; reason: MandateReason; details: MandateDetails };

/** What a write asks at a time: permission to write, and whatever is named. */
export const asksOf = (now: Date, more: Partial<Omit<MandateAsked, 'now'>> = {}): MandateAsked => ({
  now: now.toISOString(),
  channels: [],
  signing: null,
  total_cents: null,
  spent_cents: null,
  parent: null,
  ...more,
});

/**
 * The first of a mandate's reasons against a write, null when the mandate allows it: no_mandate, mandate_expired,
 * channel_not_allowed, approval_not_allowed, terms_not_accepted, over_max_plan_total, over_monthly_cap. Writes, quotes
 * and the workbench call this one function, so that they always agree. Source: docs/domain/orders.md#mandate-checks,
 * docs/domain/orders.md#refusal-details, docs/domain/orders.md#mandate-workbench; I18.
 */
export const mandateVerdict = (mandate: MandateLimits | null, asked: MandateAsked): MandateRefusal | null => {
  for (const test of TESTS) {
    const refusal = test(mandate, asked);
    if (refusal !== null) return refusal;
  }
  return null;
};

/** Each of a mandate's reasons against a write, in their order. Source: docs/domain/orders.md#preflight. */
export const mandateRefusals = (mandate: MandateLimits | null, asked: MandateAsked): MandateRefusal[] =>
  TESTS.flatMap((test) => test(mandate, asked) ?? []);

/**
 * A refusal by the key's limits: a person of the brand decides, so each says escalate
 * (docs/domain/orders.md#refusal-details).
 */
const mandateRefused = (reason: MandateReason, message: string, details: MandateDetails = {}): MandateRefusal => ({
  code: 'mandate_refused',
  reason,
  message,
  details: { ...details, escalate: true },
});

/** Expired from the instant of `expires_at` on. */
const expiryRefusal = ({ expires_at }: MandateLimits, { now }: MandateAsked): MandateRefusal | null =>
  Date.parse(now) < Date.parse(expires_at)
    ? null
    : mandateRefused('mandate_expired', "This key's mandate has expired. Ask a person of the brand to renew it.", {
        expired_at: expires_at,
      });

const channelRefusal = (mandate: MandateLimits, { channels }: MandateAsked): MandateRefusal | null => {
  const missing = [...new Set(channels)].filter((channel) => !mandate.channels.includes(channel));
  return missing.length === 0
    ? null
    : mandateRefused(
        'channel_not_allowed',
        "This key's mandate does not allow the channel. Ask a person of the brand to add it.",
        { channels: missing },
      );
};

const approvalRefusal = (mandate: MandateLimits, { signing }: MandateAsked): MandateRefusal | null =>
  signing === null || mandate.may_approve
    ? null
    : mandateRefused(
        'approval_not_allowed',
        'This key may not sign. Ask a person of the brand to sign, or to let this key approve.',
      );

const termsRefusal = (mandate: MandateLimits, { signing }: MandateAsked): MandateRefusal | null => {
  if (signing === null) return null;
  const { current_terms, terms_url } = signing;
  if (current_terms === null || mandate.terms_version === current_terms) return null;
  return mandateRefused(
    'terms_not_accepted',
    'The current brand terms are not accepted for this key. Ask a person of the brand to accept them in Developers.',
    {
      current_version: current_terms,
      accepted_version: mandate.terms_version,
      ...(terms_url === null ? {} : { url: terms_url }),
    },
  );
};

/** A total above the mandate's largest plan. */
const totalRefusal = ({ max_plan_cents }: MandateLimits, { total_cents }: MandateAsked): MandateRefusal | null =>
  total_cents === null || total_cents <= max_plan_cents
    ? null
    : mandateRefused(
        'over_max_plan_total',
        "The plan's total would exceed this key's limit for a plan. Remove a creator, or ask the brand to raise it.",
        {
          limit_cents: max_plan_cents,
          requested_cents: total_cents,
          over_by_cents: total_cents - max_plan_cents,
        },
      );

/** A total that would exceed the month's cap. */
const capRefusal = (
  { monthly_cap_cents }: MandateLimits,
  { total_cents, spent_cents }: MandateAsked,
): MandateRefusal | null =>
  total_cents === null || spent_cents === null || spent_cents + total_cents <= monthly_cap_cents
    ? null
    : mandateRefused(
        'over_monthly_cap',
        "The plan's total would exceed this key's monthly cap. Wait for next month, or ask the brand to raise the cap.",
        {
          limit_cents: monthly_cap_cents,
          spent_cents,
          requested_cents: total_cents,
          over_by_cents: spent_cents + total_cents - monthly_cap_cents,
        },
      );

/**
 * A total that would exceed the monthly cap that a child key shares with its parent (docs/domain/access.md#child-keys).
 */
const parentCapRefusal = (_mandate: MandateLimits, { total_cents, parent }: MandateAsked): MandateRefusal | null =>
  total_cents === null || parent === null || parent.spent_cents + total_cents <= parent.cap_cents
    ? null
    : mandateRefused(
        'over_monthly_cap',
        "The plan's total would exceed the monthly cap that this key shares with its parent. Wait for next month, or ask the brand to raise the parent's cap.",
        {
          limit_cents: parent.cap_cents,
          spent_cents: parent.spent_cents,
          requested_cents: total_cents,
          over_by_cents: parent.spent_cents + total_cents - parent.cap_cents,
        },
      );

type Test<Mandate> = (mandate: Mandate, asked: MandateAsked) => MandateRefusal | null;

/** Without a mandate there is nothing else to test. */
const ofMandate =
  (test: Test<MandateLimits>): Test<MandateLimits | null> =>
  (mandate, asked) =>
    mandate === null ? null : test(mandate, asked);

/** A mandate's tests, in the order of docs/domain/orders.md#mandate-checks. */
const TESTS: readonly Test<MandateLimits | null>[] = [
  (mandate) =>
    mandate === null
      ? mandateRefused('no_mandate', 'This key has no mandate. Ask a person of the brand to set one in Developers.')
      : null,
  ...[expiryRefusal, channelRefusal, approvalRefusal, termsRefusal, totalRefusal, capRefusal, parentCapRefusal].map(
    ofMandate,
  ),
];
