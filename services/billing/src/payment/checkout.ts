import { AppError, conflict, notFound, unavailable } from '@cds/contracts';
import type { Clocks, Ctx } from '@cds/service';
import { cardsBegin, cardsEnd } from '../domain/offer.js';
import { type Order, railKeyOf, type Session } from '../domain/order.js';
import { payTokenHash } from '../domain/pay-token.js';
import type { PaymentRail, SessionWanted } from '../rails/rail.js';
import type { Rails } from '../rails/rails.js';
import type { PayTokens } from '../signing/pay-tokens.js';
import type { Orders } from '../store/orders.js';
import { retryOrderRaces } from './booking.js';
import type { Receiver } from './receiver.js';
import type { PaymentWorker } from './worker.js';

export type CheckoutDependencies = {
  clocks: Clocks;
  orders: Orders;
  tokens: PayTokens;
  rails: Rails;
  receiver: Receiver;
  worker: PaymentWorker;
  appUrl: string;
};

/**
 * The one session behind a payment link (docs/domain/orders.md#payment-link; I19). Generation and rail key are stored
 * before the rail is called, so a lost answer is requested again; the next generation comes only after the previous one
 * is closed.
 */
export class Checkout {
  constructor(private readonly deps: CheckoutDependencies) {}

  /** Raises not_found, or forbidden for a form that is not the page's own. */
  async orderOf(token: string, formToken?: string): Promise<Order> {
    const order = await this.deps.orders.byTokenHash(payTokenHash(token));
    if (order === null) throw notFound('payment link');
    if (formToken !== undefined && !this.deps.tokens.isFormToken(token, formToken)) {
      throw new AppError('forbidden', 'This form does not come from the payment page. Open the page again.');
    }
    return order;
  }

  /** Raises conflict when nothing is due, or more than the rail takes. */
  async open(ctx: Ctx, token: string): Promise<string> {
    return retryOrderRaces(async () => {
      const order = await this.orderOf(token);
      await this.mustBePayable(order);
      if (order.rail !== 'checkout')
        throw conflict('bad_state', 'This order is set to invoice. Choose card checkout first.');

      const rail = this.railOf(order);
      const refused =
        rail.mostCents !== null && order.total_cents > rail.mostCents
          ? cardsEnd(rail.mostCents)
          : order.total_cents < rail.leastCents && cardsBegin(rail.leastCents);
      if (refused !== false)
        throw conflict('bad_state', `${refused}. Open the payment page again for another way to pay.`);

      const ready = await this.closedOrPayable(order);
      const session = payableSession(ready) ?? nextSession(ready, ctx.networkNow);
      const opening = session === ready.session ? ready : await this.save(ready, session);
      const wanted = { order: opening, session, pageUrl: () => `${this.deps.appUrl}/pay/${token}` };
      const { url, railId } = await rail.open(wanted);
      if (session.state !== 'open') await this.save(opening, { ...session, state: 'open', url, rail_id: railId });
      return url;
    });
  }

  /** Raises conflict when the rail already has money for the session. */
  async close(order: Order): Promise<Order> {
    const session = payableSession(order);
    if (session === null) return order;
    const state = await this.railOf(order).close(this.wanted(order, session));
    if (state === 'paid' || state === 'pending') {
      await this.fetchMissed(order, session);
      throw conflict('bad_state', 'A payment for this order is in progress. Open the page again.');
    }
    return this.save(order, { ...session, state: 'closed' });
  }

  async reconcile(order: Order): Promise<boolean> {
    const session = payableSession(order);
    if (session === null) return false;
    await this.fetchMissed(order, session);
    const after = await this.deps.orders.byId(order.ws, order._id);
    return after !== null && after.rev !== order.rev;
  }

  async mustBePayable(order: Order): Promise<void> {
    const now = await this.deps.clocks.now(order.ws);
    if (order.payment_state === 'unpaid' && now < order.pay_expires_at) return;
    throw conflict('bad_state', 'This order has nothing left to pay.', {
      payment_state: order.payment_state,
    });
  }

  private async closedOrPayable(order: Order): Promise<Order> {
    const session = payableSession(order);
    if (session === null) return order;
    const { state } = await this.railOf(order).look(this.wanted(order, session));
    if (state === 'none' || state === 'open') return order;
    if (state === 'closed') return this.save(order, { ...session, state: 'closed' });
    await this.fetchMissed(order, session);
    throw conflict('bad_state', 'A payment for this order is in progress. Open the page again.');
  }

  private async fetchMissed(order: Order, session: Session): Promise<void> {
    const { receiver, worker } = this.deps;
    const rail = this.railOf(order);
    const { delivery } = await rail.look(this.wanted(order, session));
    if (delivery === null) return;
    const id = await receiver.receive(rail.name, { raw: Buffer.from(delivery.raw), signature: delivery.signature });
    if (id !== null) await worker.apply(id);
  }

  /** Raises unavailable for a card order while Stripe is not configured. */
  private railOf(order: Order): PaymentRail {
    const rail = this.deps.rails.of(order);
    if (rail === null)
      throw unavailable('Card payments are not set up at the moment. Choose another way to pay.', 3_600);
    return rail;
  }

  private wanted(order: Order, session: Session): SessionWanted {
    const { appUrl, tokens } = this.deps;
    return { order, session, pageUrl: () => `${appUrl}/pay/${tokens.open(order.pay_token)}` };
  }

  private async save(order: Order, session: Session): Promise<Order> {
    return this.deps.orders.save(order, { ...order, generation: session.generation, session });
  }
}

export const payableSession = (order: Order): Session | null =>
  order.session === null || order.session.state === 'closed' ? null : order.session;

export const nextSession = (order: Order, at: Date): Session => {
  const generation = order.generation + 1;
  return { generation, rail_key: railKeyOf(order._id, generation), state: 'opening', url: null, opened_at: at };
};
