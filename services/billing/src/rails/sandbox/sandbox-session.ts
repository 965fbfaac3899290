import type { PaymentState, Rail, SandboxOutcome } from '@cds/contracts';
import { z } from 'zod';
import { SETTLES_AFTER_MS } from '../../domain/constants.js';
import type { RailEvent } from '../../domain/payment-event.js';

export type SandboxSession = {
  _id: string;
  ws: string;
  order_id: string;
  amount_cents: number;
  currency: string;
  state: 'open' | 'pending' | 'paid' | 'failed' | 'expired';
  moved_at: Date;
  settles_at: Date | null;
  refunds?: { key: string; amount_cents: number }[];
};

export const paymentOf = (railKey: string): string => `pay_${railKey}`;

/** Each but a decline happens once. */
export type SandboxMove = 'pay' | 'decline' | 'delay' | 'settle' | 'fail' | 'expire';

const MOVES: Record<
  SandboxMove,
  { from: SandboxSession['state']; to: SandboxSession['state']; type: string; status: 'paid' | 'unpaid' }
> = {
  pay: { from: 'open', to: 'paid', type: 'checkout.session.completed', status: 'paid' },
  decline: { from: 'open', to: 'open', type: 'checkout.session.payment_declined', status: 'unpaid' },
  delay: { from: 'open', to: 'pending', type: 'checkout.session.completed', status: 'unpaid' },
  settle: { from: 'pending', to: 'paid', type: 'checkout.session.async_payment_succeeded', status: 'paid' },
  fail: { from: 'pending', to: 'failed', type: 'checkout.session.async_payment_failed', status: 'unpaid' },
  expire: { from: 'open', to: 'expired', type: 'checkout.session.expired', status: 'unpaid' },
};

const SandboxEvent = z.object({
  id: z.string().min(1).max(200),
  type: z.string(),
  created: z.iso.datetime(),
  data: z.object({
    session: z.string().nullable(),
    payment: z.string(),
    order: z.string(),
    workspace: z.string(),
    amount_cents: z.int(),
    currency: z.string(),
    payment_status: z.enum(['paid', 'unpaid']),
    refunded_cents: z.int().min(0).optional(),
  }),
});
export type SandboxEvent = z.infer<typeof SandboxEvent>;

/** Null when the state does not allow it. A repeated move is the same event; `id` names a decline, which may recur. */
export const moveSession = (
  session: SandboxSession,
  move: SandboxMove,
  at: Date,
  id: string,
): { session: SandboxSession; event: SandboxEvent } | null => {
  const { from, to } = MOVES[move];
  if (session.state !== from) return null;
  const settlesAt = move === 'delay' ? new Date(at.getTime() + SETTLES_AFTER_MS) : null;
  const next: SandboxSession = { ...session, state: to, moved_at: at, settles_at: settlesAt };
  return { session: next, event: eventOf(next, move, at, move === 'decline' ? id : move) };
};

export const eventOfState = (session: SandboxSession): SandboxEvent | null => {
  switch (session.state) {
    case 'open':
      return null;
    case 'paid':
      return eventOf(session, 'pay', session.moved_at, 'paid');
    case 'pending':
      return eventOf(session, 'delay', session.moved_at, 'delay');
    case 'failed':
      return eventOf(session, 'fail', session.moved_at, 'fail');
    case 'expired':
      return eventOf(session, 'expire', session.moved_at, 'expire');
  }
};

const eventOf = (session: SandboxSession, move: SandboxMove, at: Date, suffix: string): SandboxEvent => ({
  id: `evt_${session._id}_${suffix}`,
  type: MOVES[move].type,
  created: at.toISOString(),
  data: {
    session: session._id,
    payment: paymentOf(session._id),
    order: session.order_id,
    workspace: session.ws,
    amount_cents: session.amount_cents,
    currency: session.currency,
    payment_status: MOVES[move].status,
  },
});

/** Null when the bytes are not an event of this rail (docs/domain/orders.md#rail-events). */
export const readSandboxEvent = (raw: string): RailEvent | null => {
  let value: unknown;
  try {
    value = JSON.parse(raw);
  } catch {
    return null;
  }
  const parsed = SandboxEvent.safeParse(value);
  if (!parsed.success) return null;
  const { id, type, created, data } = parsed.data;
  const kind = kindOf(type, data.payment_status);
  return {
    event_id: id,
    kind,
    order_id: data.order,
    workspace: data.workspace,
    sandbox: true,
    amount_cents: kind === 'refund' ? (data.refunded_cents ?? 0) : data.amount_cents,
    currency: data.currency,
    rail_ref: data.payment,
    rail_key: data.session,
    cause: type,
    occurred_at: new Date(created),
  };
};

const kindOf = (type: string, status: 'paid' | 'unpaid'): RailEvent['kind'] => {
  switch (type) {
    case 'checkout.session.completed':
      return status === 'paid' ? 'charge' : 'pending';
    case 'checkout.session.async_payment_succeeded':
      return 'charge';
    case 'checkout.session.async_payment_failed':
      return 'failed';
    case 'checkout.session.expired':
      return 'closed';
    case 'charge.refunded':
      return 'refund';
    default:
      return 'none';
  }
};

export const allowedOutcomes = (rail: Rail, state: PaymentState): readonly SandboxOutcome[] => {
  if (rail === 'invoice') return state === 'unpaid' || state === 'processing' ? ['invoice_paid'] : [];
  if (state === 'unpaid') return ['paid', 'declined', 'pending', 'expired'];
  if (state === 'processing') return ['settled', 'failed'];
  return [];
};

export const MOVE_OF_OUTCOME: Record<Exclude<SandboxOutcome, 'invoice_paid'>, SandboxMove> = {
  paid: 'pay',
  declined: 'decline',
  pending: 'delay',
  settled: 'settle',
  failed: 'fail',
  expired: 'expire',
};

export const MOVE_OF_BUTTON: ReadonlyMap<string, SandboxMove> = new Map([
  ['pay', 'pay'],
  ['decline', 'decline'],
  ['delay', 'delay'],
  ['expire', 'expire'],
]);
