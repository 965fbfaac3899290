import { counterOf, Deadline, inTx, type RowRunner, raiseAlarm, type Sweep } from '@cds/service';
import type { Background, Dependencies } from '../dependencies.js';
import { PARKED_MS, UNKNOWN_MS } from '../domain/constants.js';
import type { Credit } from '../domain/credit.js';
import type { Order } from '../domain/order.js';
import type { LedgerEntry } from '../domain/order-state.js';
import { decideEvent, type EventDecision, type RailEvent } from '../domain/payment-event.js';
import { strayByPayment } from '../domain/refund.js';
import { cameBackIn, followed, sumOfCredits, withRepaidBy } from '../domain/returned.js';
import { returnedTwice, tasksOf } from '../domain/tasks.js';
import type { Rails } from '../rails/rails.js';
import type { Credits } from '../store/credits.js';
import type { Ledger } from '../store/ledger.js';
import type { Orders } from '../store/orders.js';
import type { PaymentEvent, PaymentEvents } from '../store/payment-events.js';
import type { Refunds } from '../store/refunds.js';
import { bookingOf, retryOrderRaces, saveBooking } from './booking.js';

const ignored = counterOf('cds_payment_events_ignored_total');

const APPLY_MS = 15_000;
const OF_REFUNDS: readonly RailEvent['kind'][] = ['refund', 'returned', 'dispute_lost', 'dispute_won'];

export type WorkerDependencies = Pick<Dependencies, 'store' | 'outbox' | 'audit' | 'log'> & {
  background: Background;
  events: PaymentEvents;
  orders: Orders;
  ledger: Ledger;
  credits: Credits;
  refunds: Refunds;
  rails: Rails;
};

/** A delivery wakes it in its own process; a sweep finds what another left (docs/reliability.md#payment-events). */
export class PaymentWorker {
  constructor(private readonly deps: WorkerDependencies) {}

  wake(id: string): void {
    this.deps.background.start(() => this.apply(id), 'a payment event waits for its sweep', { event: id });
  }

  async apply(id: string): Promise<void> {
    await retryOrderRaces(async () => {
      const event = await this.deps.events.byId(id);
      if (event === null || (event.state !== 'new' && event.state !== 'parked')) return;
      const rail = this.deps.rails.byName(event.rail);
      // Another replica has the rail: while a setting is rolled out, the event waits.
      if (rail === null) return this.park(event);
      const railEvent = event.event ?? rail.read(event.raw ?? '');
      if (railEvent === null) return this.quarantine(event, 'malformed');
      if (railEvent.kind === 'none' && railEvent.order_id === '') return this.settleUnread(event);
      const order = await this.orderOf(event.rail, railEvent);
      if (order !== null) return this.decide(event, railEvent, order);
      // Only the rail knows whose payment it is: ours, not arrived yet, or another product's on the same account.
      const owner = railEvent.order_id === '' ? await rail.ownerOf(railEvent.rail_ref) : railEvent;
      if (owner === null) return this.ignore(event);
      const owned = await this.deps.orders.byId(owner.workspace, owner.order_id);
      if (owned !== null) return this.decide(event, railEvent, owned);
      await this.quarantine(event, 'unknown_order');
    });
  }

  sweep(rows: RowRunner): Sweep {
    return {
      name: 'payment events',
      everyMs: 5_000,
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

  /** Bodies of events that an older release settled, even one still running during an upgrade. */
  forgetBodies(): Sweep {
    return { name: 'payment event bodies', everyMs: 3_600_000, run: () => this.deps.events.forgetBodies() };
  }

  private async decide(event: PaymentEvent, railEvent: RailEvent, order: Order): Promise<void> {
    const { store, outbox, audit, log, events, orders, ledger, credits, refunds } = this.deps;
    const existing = await ledger.of(order.ws, order._id);
    const decision = await this.decided(event, railEvent, order, existing);
    if (decision.kind === 'quarantine') return this.quarantine(event, decision.reason);
    if (decision.kind === 'park') {
      if ((order.refunding ?? null) !== null || (await this.isFresh(event))) return this.park(event);
      return this.quarantine(event, 'unknown_payment');
    }

    const session =
      decision.closesSession && order.session !== null ? { ...order.session, state: 'closed' as const } : order.session;
    const by = { actor: `rail:${event.rail}`, rail: event.rail, at: railEvent.occurred_at };
    // Only what was paid is ever credited.
    const credited = order.paid_at === null ? [] : await credits.of(order.ws, order._id);
    const asked = OF_REFUNDS.includes(railEvent.kind) ? await refunds.of(order.ws, order._id) : [];
    const openRefunds = asked.filter(({ state }) => state === 'open');
    const lost = cameBackIn(
      decision.entries,
      asked.filter(({ state }) => state === 'done'),
    );
    const before = withRepaidBy(credited, asked);
    const after = followed({ order, entries: existing, credits: before, openRefunds }, decision.entries, by);
    const books = { order, entries: existing, credits: credited };
    const booking = bookingOf(books, { ...after, order: { ...order, session } }, by);
    const owed = {
      own: dueOf(after.credits) - dueOf(before),
      stray: strayOf([...existing, ...booking.entries]) - strayOf(existing),
    };
    const tasks = [
      ...tasksOf(order, booking.entries, railEvent, decision.opensTask === true, owed),
      ...returnedTwice(order, existing, booking.entries, { payment: railEvent.rail_ref, at: railEvent.occurred_at }),
    ].map((payload) => ({
      name: 'billing_task.opened' as const,
      payload,
    }));
    const unchanged = booking.entries.length === 0 && !decision.closesSession;
    const at = await store.now();
    await inTx(store, Deadline.in(APPLY_MS), async (tx) => {
      await events.settle(tx, event._id, 'applied', null);
      if (!unchanged) await saveBooking(tx, { orders, ledger }, booking);
      await credits.change(tx, credited, after.credits);
      for (const { _id } of lost) await refunds.cameBack(tx, _id);
      // The order may have been read before a change that the ledger already has; that change sent its event.
      await outbox.add(tx, [...(unchanged ? [] : booking.events), ...tasks], at);
      await audit.add(tx, booking.audit, at);
    });
    const isStray = railEvent.kind === 'charge' && decision.opensTask === true;
    if (isStray || booking.entries.some((entry) => entry.kind === 'stray_charge')) {
      raiseAlarm(
        log,
        'stray_charge',
        { order_id: order._id },
        'money arrived for an order that was not awaiting it: refund it',
      );
    }
  }

  /** Events about refunds may be out of date, so the rail says what is true now. */
  private async decided(
    event: PaymentEvent,
    railEvent: RailEvent,
    order: Order,
    existing: readonly LedgerEntry[],
  ): Promise<EventDecision> {
    const now = OF_REFUNDS.includes(railEvent.kind)
      ? await this.deps.rails.byName(event.rail)?.returned(railEvent.rail_ref)
      : null;
    return decideEvent(order, existing, railEvent, now ?? null);
  }

  private async orderOf(
    rail: string,
    { workspace, order_id: id, rail_ref: payment }: RailEvent,
  ): Promise<Order | null> {
    const { orders, ledger } = this.deps;
    if (id !== '') return orders.byId(workspace, id);
    const charge = await ledger.ofPayment(rail, payment);
    return charge === null ? null : orders.byId(charge.ws, charge.order_id);
  }

  private async ignore(event: PaymentEvent): Promise<void> {
    const { store, events } = this.deps;
    await inTx(store, Deadline.in(APPLY_MS), (tx) => events.settle(tx, event._id, 'ignored', 'unknown_payment'));
    ignored.add(1, { rail: event.rail });
  }

  private async settleUnread(event: PaymentEvent): Promise<void> {
    const { store, events } = this.deps;
    await inTx(store, Deadline.in(APPLY_MS), (tx) => events.settle(tx, event._id, 'applied', null));
  }

  private async isFresh({ received_at: at }: PaymentEvent): Promise<boolean> {
    return at.getTime() > (await this.deps.store.now()).getTime() - UNKNOWN_MS;
  }

  private async park(event: PaymentEvent): Promise<void> {
    const { store, events } = this.deps;
    await events.park(event._id, new Date((await store.now()).getTime() + PARKED_MS));
  }

  private async quarantine(event: PaymentEvent, reason: string): Promise<void> {
    const { store, log, events } = this.deps;
    await inTx(store, Deadline.in(APPLY_MS), (tx) => events.settle(tx, event._id, 'quarantined', reason));
    raiseAlarm(log, 'payment_quarantined', { event: event._id, reason }, 'a payment event was quarantined');
  }
}

const dueOf = (credits: readonly Credit[]): number => sumOfCredits(credits.filter(({ state }) => state === 'due'));

const strayOf = (entries: readonly LedgerEntry[]): number =>
  strayByPayment(entries).reduce((sum, { cents }) => sum + Math.max(0, cents), 0);
