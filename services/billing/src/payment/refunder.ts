import { unavailable } from '@cds/contracts';
import { type Clocks, Deadline, inTx, type RowRunner, raiseAlarm, type Sweep } from '@cds/service';
import type { Background, Dependencies } from '../dependencies.js';
import { creditsStillOwed, endedAs } from '../domain/credit.js';
import { isLineEnded, type Order } from '../domain/order.js';
import { type Refund, roomForCredits, TRANSFER } from '../domain/refund.js';
import { madeAsAsked, withinRoom } from '../domain/returned.js';
import { refundRefused, returnedTwice } from '../domain/tasks.js';
import type { Rails } from '../rails/rails.js';
import type { Credits } from '../store/credits.js';
import type { Ledger } from '../store/ledger.js';
import type { Orders } from '../store/orders.js';
import type { Refunds } from '../store/refunds.js';
import { bookingOf, retryOrderRaces, saveBooking } from './booking.js';
import { creditMade } from './line-credits.js';

const BOOK_MS = 15_000;
const AT_ONCE = 8;

export type RefunderDependencies = Pick<Dependencies, 'store' | 'outbox' | 'audit' | 'log'> & {
  background: Background;
  clocks: Clocks;
  orders: Orders;
  ledger: Ledger;
  credits: Credits;
  refunds: Refunds;
  rails: Rails;
};

/**
 * Makes the repayments that the team asked for (docs/domain/orders.md#refunds): marks one on the order, asks its rail
 * under the repayment's id, and books what the rail confirmed. One repayment of an order is at its rail at a time, so
 * that an event's cumulative amount has one cause.
 */
export class Refunder {
  constructor(private readonly deps: RefunderDependencies) {}

  wake(ws: string, orderId: string): void {
    this.deps.background.start(() => this.work(ws, orderId), 'a repayment waits for its sweep', { order_id: orderId });
  }

  async work(ws: string, orderId: string): Promise<void> {
    for (;;) {
      const next = await retryOrderRaces(() => this.claimed(ws, orderId));
      if (next === null) return;
      await this.make(next.order, next.refund);
    }
  }

  sweep(rows: RowRunner): Sweep {
    return {
      name: 'refunds',
      everyMs: 5_000,
      run: (_time, only) =>
        rows.run(
          {
            name: 'refunds',
            find: (without) => this.deps.refunds.ordersWithOpen(only, without),
            idOf: ({ order_id }) => order_id,
            handle: async ({ ws, order_id }) => {
              await this.work(ws, order_id);
              return 1;
            },
            atOnce: AT_ONCE,
          },
          only === null ? 'kept' : 'ignored',
        ),
    };
  }

  /** The repayment at its rail, or else the oldest open one, now marked on the order. */
  private async claimed(ws: string, orderId: string): Promise<{ order: Order; refund: Refund } | null> {
    const { orders, refunds } = this.deps;
    const order = await orders.byId(ws, orderId);
    const open = await refunds.openOf(ws, orderId);
    const started = open.find(({ _id }) => _id === order?.refunding);
    const refund = started ?? open[0];
    if (order === null || refund === undefined) return null;
    return {
      order: started === undefined ? await orders.save(order, { ...order, refunding: refund._id }) : order,
      refund,
    };
  }

  private async make(order: Order, refund: Refund): Promise<void> {
    // The team has made it already, whatever the rail returned meanwhile.
    if (refund.by_transfer === true) return retryOrderRaces(() => this.book(refund));
    const rail = this.deps.rails.byName(refund.rail);
    // Another replica may have the rail: while a setting is rolled out, the repayment waits.
    if (rail === null) throw unavailable(`The rail ${refund.rail} is not configured.`);
    const answer = await rail.refund({
      order,
      payment: refund.payment,
      amountCents: refund.amount_cents,
      key: refund._id,
      reference: refund.bank_reference,
    });
    await retryOrderRaces(() => (answer.state === 'done' ? this.book(refund) : this.refuse(refund, answer.problem)));
  }

  private async book(refund: Refund): Promise<void> {
    const { store, outbox, audit, clocks, orders, ledger, credits, refunds } = this.deps;
    const found = await this.atRail(refund);
    if (found === null) return;
    const existing = await ledger.of(refund.ws, refund.order_id);
    const before = await credits.of(refund.ws, refund.order_id);
    const at = await store.now();
    const rail = refund.by_transfer === true ? TRANSFER : refund.rail;
    const by = { actor: refund.actor, rail, at: await clocks.now(refund.ws) };
    const others = (await refunds.openOf(refund.ws, refund.order_id)).filter(({ _id }) => _id !== refund._id);
    const made = madeAsAsked({ order: found, entries: existing, credits: before, openRefunds: others }, refund, by);
    const booking = bookingOf(
      { order: found, entries: existing, credits: before },
      { entries: made.entries, credits: made.credits, order: { ...found, refunding: null } },
      by,
    );
    const tasks = returnedTwice(found, existing, booking.entries, { payment: refund.payment, at }).map((payload) => ({
      name: 'billing_task.opened' as const,
      payload,
    }));
    await inTx(store, Deadline.in(BOOK_MS), async (tx) => {
      await saveBooking(tx, { orders, ledger }, booking);
      // Credits of it may have been paid at the rail meanwhile.
      const credit_ids = [...made.paid];
      await refunds.end(tx, refund._id, { state: 'done', problem: null, credit_ids });
      await credits.change(tx, before, made.credits);
      await outbox.add(tx, [...booking.events, ...tasks], at);
      await audit.add(tx, booking.audit, at);
    });
  }

  /** A credit made with the request ends with it, unless its line has ended and owes it. */
  private async refuse(refund: Refund, problem: string): Promise<void> {
    const { store, outbox, audit, clocks, log, orders, ledger, credits, refunds } = this.deps;
    const found = await this.atRail(refund);
    if (found === null) return;
    const { ws, order_id } = refund;
    const [entries, existing, open] = await Promise.all([
      ledger.of(ws, order_id),
      credits.of(ws, order_id),
      refunds.openOf(ws, order_id),
    ]);
    const waived = refund.makes_credit && !isLineEnded(found, refund.line_id) ? refund.credit_id : null;
    const kept = existing.filter(({ _id }) => _id !== waived);
    const others = open.filter(({ _id }) => _id !== refund._id);
    const made = creditsStillOwed(found, kept, roomForCredits(entries, kept, others), {
      refund: refund._id,
      at: await clocks.now(ws),
    });
    const at = await store.now();
    const after = withinRoom(entries, [...endedAs(existing, waived, 'waived'), ...made], others);
    const booking = bookingOf(
      { order: found, entries, credits: existing },
      { credits: after, order: { ...found, refunding: null } },
      { actor: refund.actor, rail: refund.rail, at },
    );
    await inTx(store, Deadline.in(BOOK_MS), async (tx) => {
      await saveBooking(tx, { orders, ledger }, booking);
      await refunds.end(tx, refund._id, { state: 'failed', problem });
      await credits.change(tx, existing, after);
      const task = { name: 'billing_task.opened' as const, payload: refundRefused(refund, problem, at) };
      await outbox.add(tx, [...booking.events, task], at);
      await audit.add(tx, made.map(creditMade), at);
    });
    raiseAlarm(log, 'refund_refused', { order_id: refund.order_id, refund: refund._id }, 'a rail refused a repayment');
  }

  private async atRail(refund: Refund): Promise<Order | null> {
    const order = await this.deps.orders.byId(refund.ws, refund.order_id);
    return order?.refunding === refund._id ? order : null;
  }
}
