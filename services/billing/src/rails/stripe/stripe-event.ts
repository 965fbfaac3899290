import { z } from 'zod';
import type { RailEvent } from '../../domain/payment-event.js';

// Only the fields that decide are read, so that later versions of Stripe's objects change nothing here
// (docs/domain/orders.md#rail-events).

const Event = z.object({
  id: z.string().min(1).max(200),
  type: z.string(),
  created: z.int(),
  livemode: z.boolean().optional(),
  data: z.object({ object: z.looseObject({}) }),
});

/** Metadata that we put on sessions and repayments; Stripe copies it to the payment and its charge. */
const Ours = z.object({ order: z.string(), workspace: z.string(), rail_key: z.string() });

const Reference = z.union([z.string(), z.object({ id: z.string() }).transform(({ id }) => id)]);

const CheckoutSession = z.object({
  payment_status: z.enum(['paid', 'unpaid', 'no_payment_required']),
  payment_intent: Reference.nullable(),
  amount_total: z.int(),
  currency: z.string(),
  metadata: Ours,
});

const Charge = z.object({
  payment_intent: Reference,
  amount_refunded: z.int(),
  currency: z.string(),
  metadata: Ours.nullish().catch(null),
});
const Dispute = z.object({
  id: z.string(),
  payment_intent: Reference.nullable(),
  amount: z.int(),
  currency: z.string(),
  status: z.string(),
  /** What the dispute took from the account's balance, and what came back of it. */
  balance_transactions: z
    .array(z.object({ amount: z.int(), currency: z.string() }))
    .nullish()
    .catch(null),
});
const Repayment = z.object({
  payment_intent: Reference.nullable(),
  amount: z.int(),
  currency: z.string(),
  status: z.string().nullish(),
  metadata: z.object({ refund: z.string(), order: z.string(), workspace: z.string() }).nullish().catch(null),
});

type Base = Pick<RailEvent, 'event_id' | 'cause' | 'occurred_at' | 'sandbox'>;

/** An event of the other mode (live, test) counts as a sandbox's. Disputes name only their payment. */
export const readStripeEvent = (raw: string, isLive: boolean): RailEvent | null => {
  let value: unknown;
  try {
    value = JSON.parse(raw);
  } catch {
    return null;
  }
  const parsed = Event.safeParse(value);
  if (!parsed.success) return null;
  const { id, type, created, livemode, data } = parsed.data;
  const base: Base = {
    event_id: id,
    cause: type,
    occurred_at: new Date(created * 1_000),
    sandbox: livemode !== undefined && livemode !== isLive,
  };
  switch (type) {
    case 'checkout.session.completed':
    case 'checkout.session.async_payment_succeeded':
    case 'checkout.session.async_payment_failed':
    case 'checkout.session.expired':
      return ofSession(base, type, data.object);
    case 'charge.refunded':
      return ofCharge(base, data.object);
    case 'charge.dispute.created':
    case 'charge.dispute.closed':
    case 'charge.dispute.funds_reinstated':
      return ofDispute(base, type, data.object);
    case 'refund.failed':
    case 'refund.updated':
    case 'charge.refund.updated':
      return ofRepayment(base, data.object);
    default:
      return nothing(base);
  }
};

const ofSession = (base: Base, type: string, object: unknown): RailEvent | null => {
  const session = CheckoutSession.safeParse(object);
  // A session of another product on the account is not ours to judge.
  if (!session.success)
    return Ours.safeParse((object as { metadata?: unknown }).metadata).success ? null : nothing(base);
  const { payment_status: status, payment_intent: payment, amount_total, currency, metadata } = session.data;
  return {
    ...base,
    kind: kindOfSession(type, status),
    order_id: metadata.order,
    workspace: metadata.workspace,
    amount_cents: amount_total,
    currency: currency.toUpperCase(),
    rail_ref: payment ?? metadata.rail_key,
    rail_key: metadata.rail_key,
  };
};

const kindOfSession = (type: string, status: string): RailEvent['kind'] => {
  switch (type) {
    case 'checkout.session.completed':
      return status === 'unpaid' ? 'pending' : 'charge';
    case 'checkout.session.async_payment_succeeded':
      return 'charge';
    case 'checkout.session.async_payment_failed':
      return 'failed';
    default:
      return 'closed';
  }
};

const ofCharge = (base: Base, object: unknown): RailEvent | null => {
  const charge = Charge.safeParse(object);
  if (!charge.success) return nothing(base);
  const { payment_intent: payment, amount_refunded: cents, currency, metadata } = charge.data;
  return {
    ...ofPayment(base, 'refund', payment, cents, currency),
    ...(metadata != null && { order_id: metadata.order, workspace: metadata.workspace }),
  };
};

const ofDispute = (base: Base, type: string, object: unknown): RailEvent | null => {
  const dispute = Dispute.safeParse(object);
  if (!dispute.success || dispute.data.payment_intent === null) return nothing(base);
  const { id, payment_intent: payment, amount, currency, status } = dispute.data;
  if (type === 'charge.dispute.created') return { ...ofPayment(base, 'task', payment, amount, currency), dispute: id };
  if (status === 'lost' && type === 'charge.dispute.closed') {
    const taken = takenBy(dispute.data);
    const lost = { ...ofPayment(base, 'dispute_lost', payment, amount, currency), dispute: id };
    return taken === null ? lost : { ...lost, taken_cents: taken };
  }
  const isWon = status === 'won' || type === 'charge.dispute.funds_reinstated';
  return isWon ? { ...ofPayment(base, 'dispute_won', payment, amount, currency), dispute: id } : nothing(base);
};

/** Null where the balance says nothing, or in another currency than the payment's. */
const takenBy = ({ balance_transactions: moved, currency }: z.output<typeof Dispute>): number | null => {
  if (moved == null || moved.length === 0 || moved.some((one) => one.currency !== currency)) return null;
  return Math.max(0, -moved.reduce((sum, one) => sum + one.amount, 0));
};

const ofRepayment = (base: Base, object: unknown): RailEvent | null => {
  const repayment = Repayment.safeParse(object);
  if (!repayment.success || repayment.data.payment_intent === null) return nothing(base);
  const { payment_intent: payment, amount, currency, status, metadata } = repayment.data;
  const hasCome = base.cause === 'refund.failed' || status === 'failed' || status === 'canceled';
  if (!hasCome) return nothing(base);
  return {
    ...ofPayment(base, 'returned', payment, amount, currency),
    ...(metadata != null && {
      order_id: metadata.order,
      workspace: metadata.workspace,
      repayment: metadata.refund,
    }),
  };
};

const ofPayment = (
  base: Base,
  kind: RailEvent['kind'],
  payment: string,
  cents: number,
  currency: string,
): RailEvent => ({
  ...base,
  kind,
  order_id: '',
  workspace: '',
  amount_cents: cents,
  currency: currency.toUpperCase(),
  rail_ref: payment,
  rail_key: null,
});

const nothing = (base: Base): RailEvent => ({
  ...base,
  kind: 'none',
  order_id: '',
  workspace: '',
  amount_cents: 0,
  currency: '',
  rail_ref: '',
  rail_key: null,
});
