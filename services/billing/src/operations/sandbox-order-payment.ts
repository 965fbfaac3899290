import { randomUUID } from 'node:crypto';
import { AppError, conflict, notFound, type SandboxOutcome } from '@cds/contracts';
import { type Ctx, change, idempotencyConflict, type WriteHandler } from '@cds/service';
import type { Order, Session } from '../domain/order.js';
import { decideEvent } from '../domain/payment-event.js';
import {
  allowedOutcomes,
  invoicePaidEvent,
  MOVE_OF_OUTCOME,
  moveSession,
  type SandboxEvent,
  type SandboxSession,
} from '../domain/sandbox-rail.js';
import { bookingOf, saveBooking } from '../payment/booking.js';
import { nextSession, payableSession } from '../payment/checkout.js';
import type { Receiver } from '../payment/receiver.js';
import { SANDBOX_RAIL, type SandboxRail } from '../payment/sandbox-rail.js';
import { presentSandboxOrder } from '../present/order.js';
import type { Authorities } from '../store/authority.js';
import type { Ledger } from '../store/ledger.js';
import type { Orders } from '../store/orders.js';
import type { PaymentEvents } from '../store/payment-events.js';
import type { SandboxSessions } from '../store/sandbox-sessions.js';

export type SandboxOrderPaymentDeps = {
  authorities: Authorities;
  orders: Orders;
  ledger: Ledger;
  events: PaymentEvents;
  sessions: SandboxSessions;
  sandboxRail: SandboxRail;
  receiver: Receiver;
};

/** What the rail did: its session before and after, if any, and the event that reports it. */
type Played = {
  session: Session | null;
  books: { before: SandboxSession | null; after: SandboxSession } | null;
  event: SandboxEvent;
};

/**
 * Plays the payment rail of a sandbox order and returns the order after it. The event is signed, verified and decided
 * like a delivered one, and booked in the transaction of this write's record. Raises forbidden, not_found, conflict
 * (bad_state). Source: docs/domain/access.md#sandbox, docs/domain/orders.md#rails,
 * docs/domain/orders.md#payment-states.
 */
export const sandboxOrderPayment: WriteHandler<'sandbox_order_payment', SandboxOrderPaymentDeps> = async (
  ctx,
  { id, outcome },
  deps,
) => {
  const { workspace, sandbox, key } = ctx.principal;
  if (!sandbox) throw new AppError('forbidden', 'Available only in sandbox workspaces.');
  const order = await deps.orders.byId(workspace, id);
  if (order === null) throw notFound('order');
  const [entries] = await Promise.all([deps.ledger.of(workspace, id), deps.authorities.ensure(workspace, key)]);

  if (!allowedOutcomes(order.rail, order.payment_state).includes(outcome)) throw badState(order, outcome);
  const played = await playedBy(ctx, order, outcome, deps);
  if (played === null) throw badState(order, outcome);
  const delivery = deps.sandboxRail.deliver(played.event, ctx.networkNow);
  const railEvent = deps.receiver.open(SANDBOX_RAIL, delivery, ctx.networkNow);
  const decision = decideEvent({ ...order, session: played.session }, entries, railEvent);
  if (decision.kind !== 'apply') throw badState(order, outcome);
  const session =
    decision.closesSession && played.session !== null
      ? { ...played.session, state: 'closed' as const }
      : played.session;
  const by = { actor: `rail:${SANDBOX_RAIL}`, rail: SANDBOX_RAIL, at: ctx.now };
  const booking = bookingOf(order, entries, decision.entries, by, session);
  const after = { ...booking, after: { ...booking.after, generation: session?.generation ?? order.generation } };

  return change(presentSandboxOrder(after.after), {
    save: async (tx) => {
      // Approve writes its record without this write's lease, so the authority keeps the two apart.
      const free = await deps.authorities.touchUnheld(tx, workspace, key, ctx.command?.id ?? '');
      if (!free) throw idempotencyConflict();
      if (played.books !== null) await deps.sessions.save(played.books.before, played.books.after, tx);
      await deps.events.applyFresh(tx, SANDBOX_RAIL, railEvent, delivery.raw, ctx.networkNow);
      await saveBooking(tx, deps, after);
    },
    events: after.events,
    audit: after.audit,
  });
};

/**
 * The rail's part: opens the session if nobody has pressed Pay, then moves it; null when its state does not allow it.
 */
const playedBy = async (
  ctx: Ctx,
  order: Order,
  outcome: SandboxOutcome,
  deps: SandboxOrderPaymentDeps,
): Promise<Played | null> => {
  if (outcome === 'invoice_paid') {
    return { session: order.session, books: null, event: invoicePaidEvent(order, ctx.now) };
  }
  const payable = payableSession(order);
  const kept = payable === null ? null : await deps.sessions.byKey(order.ws, payable.rail_key);
  const ended = kept !== null && (kept.state === 'expired' || kept.state === 'failed');
  const session = payable === null || ended ? nextSession(order, ctx.networkNow) : payable;
  const before = ended ? null : kept;
  const moved = moveSession(
    before ?? freshSession(order, session, ctx.now),
    MOVE_OF_OUTCOME[outcome],
    ctx.now,
    randomUUID(),
  );
  if (moved === null) return null;
  return {
    session: { ...session, state: 'open' },
    books: { before, after: moved.session },
    event: moved.event,
  };
};

const freshSession = (order: Order, session: Session, at: Date): SandboxSession => ({
  _id: session.rail_key,
  ws: order.ws,
  order_id: order._id,
  amount_cents: order.total_cents,
  currency: order.currency,
  state: 'open',
  moved_at: at,
  settles_at: null,
});

const badState = (order: Order, outcome: SandboxOutcome): AppError =>
  conflict(
    'bad_state',
    `This ${order.rail} order is ${order.payment_state}, so its payment cannot be ${outcome}. See details.allowed.`,
    {
      payment_state: order.payment_state,
      rail: order.rail,
      allowed: [...allowedOutcomes(order.rail, order.payment_state)],
    },
  );
