import { randomUUID } from 'node:crypto';
import { AppError, conflict, notFound, type SandboxOutcome } from '@cds/contracts';
import { type Ctx, change, type Tx, type WriteHandler } from '@cds/service';
import type { Order, Session } from '../domain/order.js';
import type { LedgerEntry } from '../domain/order-state.js';
import { decideEvent } from '../domain/payment-event.js';
import { type Booking, bookingOf, saveBooking } from '../payment/booking.js';
import { nextSession, payableSession } from '../payment/checkout.js';
import { type InvoiceMoveDeps, movedInvoice } from '../payment/invoice-moves.js';
import { presentSandboxOrder } from '../present/order.js';
import type { Rails } from '../rails/rails.js';
import { SANDBOX_RAIL } from '../rails/sandbox/sandbox-rail.js';
import {
  allowedOutcomes,
  MOVE_OF_OUTCOME,
  moveSession,
  type SandboxSession,
} from '../rails/sandbox/sandbox-session.js';
import type { SandboxSessions } from '../rails/sandbox/sandbox-sessions.js';
import { UnheldCommand } from '../signing/holds.js';
import type { Authorities } from '../store/authority.js';

export type SandboxOrderPaymentDeps = InvoiceMoveDeps & {
  authorities: Authorities;
  sessions: SandboxSessions;
  rails: Rails;
};

type Played = { booking: Booking; save: (tx: Tx) => Promise<void> };

/** A payment by default. Raises forbidden, not_found, conflict (bad_state). Source: docs/domain/sandbox.md#sandbox. */
export const sandboxOrderPayment: WriteHandler<'sandbox_order_payment', SandboxOrderPaymentDeps> = async (
  ctx,
  { id, outcome: wanted },
  deps,
) => {
  const { workspace, sandbox } = ctx.principal;
  if (!sandbox) throw new AppError('forbidden', 'Available only in sandbox workspaces.');
  const order = await deps.orders.byId(workspace, id);
  if (order === null) throw notFound('order');
  const outcome = wanted ?? (order.rail === 'invoice' ? 'invoice_paid' : 'paid');
  const [entries, command] = await Promise.all([
    deps.ledger.of(workspace, id),
    UnheldCommand.of(ctx, deps.authorities),
  ]);

  const { booking, save } = await command.decide(async () => {
    if (!allowedOutcomes(order.rail, order.payment_state).includes(outcome)) throw badState(order, outcome);
    const played =
      outcome === 'invoice_paid'
        ? await movedInvoice(ctx, { order, entries, credits: [] }, { kind: 'pay', bank_reference: 'sandbox' }, deps)
        : await playedBy(ctx, order, entries, outcome, deps);
    if (played === null) throw badState(order, outcome);
    return played;
  });

  return change(presentSandboxOrder(booking.after, outcome), {
    save: async (tx) => {
      await command.check(tx);
      await save(tx);
    },
    events: booking.events,
    audit: booking.audit,
  });
};

/** Opens the session first if nobody has pressed Pay. */
const playedBy = async (
  ctx: Ctx,
  order: Order,
  entries: readonly LedgerEntry[],
  outcome: Exclude<SandboxOutcome, 'invoice_paid'>,
  deps: SandboxOrderPaymentDeps,
): Promise<Played | null> => {
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

  const delivery = deps.rails.sandbox.deliver(moved.event, ctx.networkNow);
  const event = deps.receiver.open(SANDBOX_RAIL, delivery, ctx.networkNow);
  const open: Session = { ...session, state: 'open' };
  const decision = decideEvent({ ...order, session: open }, entries, event);
  if (decision.kind !== 'apply') return null;
  const after: Session = decision.closesSession ? { ...open, state: 'closed' } : open;
  const by = { actor: `rail:${SANDBOX_RAIL}`, rail: SANDBOX_RAIL, at: ctx.now };
  const booking = bookingOf(
    { order, entries, credits: [] },
    { entries: decision.entries, order: { ...order, session: after, generation: after.generation } },
    by,
  );
  return {
    booking,
    save: async (tx) => {
      await deps.sessions.save(before, moved.session, tx);
      await deps.events.applyFresh(tx, SANDBOX_RAIL, event, ctx.networkNow);
      await saveBooking(tx, deps, booking);
    },
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

const badState = (order: Order, outcome: SandboxOutcome): AppError => {
  const allowed = [...allowedOutcomes(order.rail, order.payment_state)];
  const next = allowed.length === 0 ? 'Nothing more can happen to it.' : `Allowed now: ${allowed.join(', ')}.`;
  return conflict(
    'bad_state',
    `This ${order.rail} order is ${order.payment_state}, so its payment cannot be ${outcome}. ${next}`,
    {
      payment_state: order.payment_state,
      rail: order.rail,
      allowed,
    },
  );
};
