import { setTimeout as delay } from 'node:timers/promises';
import type { Delivery, PaymentRail, RailEvent, RefundWanted, SessionWanted } from '@cds/billing/testing';
import { AppError, unavailable } from '@cds/contracts';
import { type BusClient, systemContext } from '@cds/service';
import { type Actor, anActor, type Scheduler } from '../platform/scheduler.js';
import type { Fate } from '../store/driver.js';
import { CardBooks, type CardPayment, type Wanted } from './card-books.js';

export const CARDS = 'cards';

/** How the way to the rail behaves, and how its events come back. */
export type RailWeather = {
  fate: () => Fate;
  latencyMs: () => number;
  refuses: () => boolean;
  /** When an event leaves, so that a later one may come first. */
  eventMs: () => number;
  repeated: () => boolean;
  /** Whether the event of a charge is never delivered, so that only asking the rail finds it. */
  forgotten: () => boolean;
};

const SIGNATURE = 'signed by the card rail';
const UNANSWERED_MS = 60;
const DELIVERY_MS = 5_000;
const LATE_MS = [200, 3_000] as const;

/**
 * A card rail outside the system: its books are the truth of what was paid and returned. It repeats an event until it
 * is received, in any order and sometimes once more.
 */
export class CardRail {
  readonly books: CardBooks;
  readonly forgotten = new Set<string>();
  private readonly actor = anActor('card rail');
  private readonly bus: BusClient;
  private leaving = 0;

  constructor(
    private readonly scheduler: Scheduler,
    private readonly weather: RailWeather,
    gateway: (actor: Actor) => BusClient,
    /** Called with a payment whose event never comes. */
    private readonly onForgotten: (payment: CardPayment) => void,
  ) {
    this.bus = gateway(this.actor);
    this.books = new CardBooks(
      (event, expected) => this.report(event, expected),
      () => weather.refuses(),
    );
  }

  get idle(): boolean {
    return this.leaving === 0;
  }

  /** A replica's client. Each call is two steps, its way there and its way back. */
  client(actor: Actor): PaymentRail {
    const { books } = this;
    const ask = <T>(label: string, work: () => T): Promise<T> => this.ask(actor, label, work);
    return {
      mostCents: null,
      leastCents: 1,
      name: CARDS,
      open: (wanted) =>
        ask('a session opens', () => {
          books.open(wantedOf(wanted));
          return { url: `https://cards.example/${wanted.session.rail_key}`, railId: null };
        }),
      close: (wanted) => ask('a session closes', () => books.close(wantedOf(wanted))),
      look: (wanted) =>
        ask('a session is looked at', () => {
          const session = books.sessions.get(wanted.session.rail_key);
          if (session === undefined) return { state: 'none', delivery: null };
          const event = books.reportOf(session);
          return { state: session.state, delivery: event === null ? null : this.deliveryOf(event) };
        }),
      refund: ({ payment, key, amountCents }: RefundWanted) =>
        ask('money is returned', () => books.refund(payment, key, amountCents)),
      returned: (payment) => ask('a payment is looked at', () => books.reportedOf(payment)),
      ownerOf: async () => null,
      verify: (_raw, signature) => signature === SIGNATURE,
      read: (raw) => {
        const event = JSON.parse(raw) as RailEvent;
        return { ...event, occurred_at: new Date(event.occurred_at) };
      },
    };
  }

  private ask<T>(actor: Actor, label: string, work: () => T): Promise<T> {
    const { scheduler, weather } = this;
    return new Promise((resolve, reject) => {
      const fate = weather.fate();
      const back = (ms: number, how: string, done: () => void) => scheduler.after(ms, actor, `${how} ${label}`, done);
      if (fate !== 'arrives')
        back(UNANSWERED_MS, 'unknown:', () => reject(unavailable('The card rail does not answer.')));
      if (fate === 'lost') return;
      const there = fate === 'late' ? scheduler.random.between(...LATE_MS) : weather.latencyMs();
      scheduler.after(there, this.actor, label, () => {
        try {
          const result = work();
          if (fate === 'arrives') back(weather.latencyMs(), 'answer:', () => resolve(result));
        } catch (error) {
          if (fate === 'arrives') back(weather.latencyMs(), 'refusal:', () => reject(error as Error));
        }
      });
    });
  }

  private report(event: Omit<RailEvent, 'occurred_at'>, expected: CardPayment | null): void {
    const { scheduler, weather } = this;
    scheduler.note(
      () => `the card rail has ${event.kind} ${event.amount_cents} of ${event.rail_ref || event.rail_key}`,
    );
    const isOnly = expected !== null && this.books.paymentsOf(expected.order).length === 1;
    if (isOnly && weather.forgotten()) {
      this.forgotten.add(expected.key);
      this.onForgotten(expected);
      return;
    }
    const { raw } = this.deliveryOf(event);
    this.leave(raw, weather.eventMs());
    if (weather.repeated()) this.leave(raw, weather.eventMs());
  }

  private leave(raw: string, ms: number): void {
    this.leaving += 1;
    this.scheduler.after(ms, this.actor, '', () => {
      void this.deliver(raw).finally(() => {
        this.leaving -= 1;
      });
    });
  }

  private async deliver(raw: string): Promise<void> {
    const { scheduler, bus } = this;
    const input = { rail: CARDS, raw_base64: Buffer.from(raw).toString('base64'), signature: SIGNATURE };
    for (;;) {
      const now = scheduler.date();
      try {
        const ctx = systemContext({ workspace: '', sandbox: false, now, networkNow: now, limitMs: DELIVERY_MS });
        const reply = await bus.send('rail_event', ctx, input, DELIVERY_MS);
        if (reply.ok) return;
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
      }
      await delay(scheduler.random.between(100, 3_000));
    }
  }

  private deliveryOf(event: Omit<RailEvent, 'occurred_at'>): Delivery {
    return { raw: JSON.stringify({ ...event, occurred_at: this.scheduler.date() }), signature: SIGNATURE };
  }
}

const wantedOf = ({ order, session }: SessionWanted): Wanted => ({
  key: session.rail_key,
  ws: order.ws,
  order: order._id,
  cents: order.total_cents,
});
