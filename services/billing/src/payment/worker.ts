import { Deadline, inTx, type RowRunner, type Sweep } from '@cds/service';
import type { Background } from '../background.js';
import type { Dependencies } from '../dependencies.js';
import { PARKED_MS } from '../domain/constants.js';
import type { Order } from '../domain/order.js';
import { decideEvent, type RailEvent } from '../domain/payment-event.js';
import type { Ledger } from '../store/ledger.js';
import type { Orders } from '../store/orders.js';
import type { PaymentEvent, PaymentEvents } from '../store/payment-events.js';
import { bookingOf, saveBooking } from './booking.js';
import { retryLostRace } from './lost-race.js';
import type { PaymentRail } from './rail.js';

const APPLY_MS = 15_000;

export type WorkerDependencies = Pick<Dependencies, 'store' | 'outbox' | 'audit' | 'log'> & {
  background: Background;
  events: PaymentEvents;
  orders: Orders;
  ledger: Ledger;
  rails: ReadonlyMap<string, PaymentRail>;
};

/**
 * Applies stored payment events, each in one transaction of event, order, ledger, outbox and audit
 * (docs/reliability.md#payment-events). A delivery wakes it in its own process; a sweep each second finds what another
 * process left.
 */
export class PaymentWorker {
  constructor(private readonly deps: WorkerDependencies) {}

  /** Applies one event in the background. */
  wake(id: string): void {
    this.deps.background.start(() => this.apply(id), 'a payment event waits for its sweep', { event: id });
  }

  /** Applies an event that is new or parked, and leaves any other as it is. */
  async apply(id: string): Promise<void> {
    await retryLostRace(async () => {
      const event = await this.deps.events.byId(id);
      if (event === null || (event.state !== 'new' && event.state !== 'parked')) return;
      const railEvent = this.deps.rails.get(event.rail)?.read(event.raw) ?? null;
      if (railEvent === null) return this.quarantine(event, 'malformed');
      const order = await this.deps.orders.byId(railEvent.workspace, railEvent.order_id);
      if (order === null) return this.quarantine(event, 'unknown_order');
      await this.decide(event, railEvent, order);
    });
  }

  sweep(rows: RowRunner): Sweep {
    return {
      name: 'payment events',
      everyMs: 1_000,
      run: (time, only) =>
        rows.run(
          {
            name: 'payment events',
            find: (without) => this.deps.events.due(time.network, only, without),
            idOf: (id) => id,
            handle: async (id) => {
              await this.apply(id);
              const after = await this.deps.events.byId(id);
              return after?.state === 'parked' ? 'done' : 1;
            },
          },
          only === null ? 'kept' : 'ignored',
        ),
    };
  }

  private async decide(event: PaymentEvent, railEvent: RailEvent, order: Order): Promise<void> {
    const { store, outbox, audit, log, events, orders, ledger } = this.deps;
    const existing = await ledger.of(order.ws, order._id);
    const decision = decideEvent(order, existing, railEvent);
    if (decision.kind === 'quarantine') return this.quarantine(event, decision.reason);
    if (decision.kind === 'park') return events.park(event._id, new Date((await store.now()).getTime() + PARKED_MS));

    const session =
      decision.closesSession && order.session !== null ? { ...order.session, state: 'closed' as const } : order.session;
    const by = { actor: `rail:${event.rail}`, rail: event.rail, at: railEvent.occurred_at };
    const booking = bookingOf(order, existing, decision.entries, by, session);
    const unchanged = booking.entries.length === 0 && !decision.closesSession;
    const at = await store.now();
    await inTx(store, Deadline.in(APPLY_MS), async (tx) => {
      await events.settle(tx, event._id, 'applied', null);
      if (!unchanged) await saveBooking(tx, { orders, ledger }, booking);
      await outbox.add(tx, booking.events, at);
      await audit.add(tx, booking.audit, at);
    });
    if (booking.entries.some((entry) => entry.kind === 'stray_charge')) {
      log.error(
        { alarm: 'stray_charge', order_id: order._id },
        'money arrived for an order that was not awaiting it: refund it',
      );
    }
  }

  private async quarantine(event: PaymentEvent, reason: string): Promise<void> {
    const { store, log, events } = this.deps;
    await inTx(store, Deadline.in(APPLY_MS), (tx) => events.settle(tx, event._id, 'quarantined', reason));
    log.error({ alarm: 'payment_quarantined', event: event._id, reason }, 'a payment event was quarantined');
  }
}
