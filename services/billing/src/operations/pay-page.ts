import { AppError, conflict, notFound, type PayPage, RAILS, type Seller } from '@cds/contracts';
import type { Clocks, Ctx, ReadHandler, WriteHandler } from '@cds/service';
import { notOffered, offerOf } from '../domain/offer.js';
import { payTokenHash } from '../domain/pay-token.js';
import { retryOrderRaces } from '../payment/booking.js';
import { type Checkout, payableSession } from '../payment/checkout.js';
import type { Receiver } from '../payment/receiver.js';
import type { PaymentWorker } from '../payment/worker.js';
import { presentPayPage } from '../present/pay-page.js';
import type { Rails } from '../rails/rails.js';
import { MOVE_OF_BUTTON } from '../rails/sandbox/sandbox-session.js';
import type { SandboxSessions } from '../rails/sandbox/sandbox-sessions.js';
import type { PayTokens } from '../signing/pay-tokens.js';
import type { OrderBooks } from '../store/order-books.js';
import type { Orders } from '../store/orders.js';
import type { Terms } from '../store/terms.js';

export type PayPageDeps = {
  books: OrderBooks;
  clocks: Clocks;
  terms: Terms;
  tokens: PayTokens;
  rails: Rails;
  seller: Seller;
};

/** Raises not_found for an unknown token. Source: docs/domain/orders.md#payment-link. */
export const payPage: ReadHandler<'pay_page', PayPageDeps> = (ctx, { token }, deps) => shownPage(ctx, token, deps);

export const shownPage = async (ctx: Ctx, token: string, deps: PayPageDeps): Promise<PayPage> => {
  const [booked, numbers] = await Promise.all([deps.books.byTokenHash(payTokenHash(token)), deps.terms.numbers()]);
  if (booked === null) throw notFound('payment link');
  const { order } = booked;

  return presentPayPage(booked, {
    offer: offerOf(deps.rails.checkout(order.sandbox), ctx.switches, numbers, order.total_cents),
    seller: deps.seller,
    now: booked.now,
    formToken: deps.tokens.formToken(token),
  });
};

/** Raises not_found, forbidden (a foreign form), conflict (bad_state). Source: docs/domain/orders.md#payment-link. */
export const payCheckout: WriteHandler<'pay_checkout', { checkout: Checkout }> = async (ctx, input, { checkout }) => {
  await checkout.orderOf(input.token, input.form_token);

  return { url: await checkout.open(ctx, input.token) };
};

export type PayRailDeps = PayPageDeps & { checkout: Checkout; orders: Orders };

/**
 * Raises not_found, forbidden, unprocessable (rail), conflict (bad_state). Source: docs/domain/orders.md#payment-link.
 */
export const payRail: WriteHandler<'pay_rail', PayRailDeps> = async (ctx, input, deps) => {
  const { token, form_token: formToken } = input;
  const numbers = await deps.terms.numbers();
  await retryOrderRaces(async () => {
    const order = await deps.checkout.orderOf(token, formToken);
    const offer = offerOf(deps.rails.checkout(order.sandbox), ctx.switches, numbers, order.total_cents);

    if (order.payment_state !== 'unpaid') throw conflict('bad_state', 'This order has nothing left to pay.');
    const chosen = offer.options.find((option) => option.rail === input.rail);
    if (chosen === undefined) {
      const rail = RAILS.find((known) => known === input.rail);
      const message = rail === undefined ? 'This rail is not offered.' : notOffered(offer, rail, deps.seller);
      throw new AppError('unprocessable', message, {
        problems: [{ field: 'rail', message: 'must be one of the offered rails' }],
      });
    }

    if (chosen.rail === order.rail) return;
    const ready = await deps.checkout.close(order);
    await deps.orders.save(ready, { ...ready, rail: chosen.rail });
  });
  return shownPage(ctx, token, deps);
};

export type PaySandboxDeps = PayPageDeps & {
  checkout: Checkout;
  sessions: SandboxSessions;
  receiver: Receiver;
  worker: PaymentWorker;
};

/** Raises not_found (also for a live order), forbidden, bad_request, conflict. Source: docs/domain/orders.md#rails. */
export const paySandbox: WriteHandler<'pay_sandbox', PaySandboxDeps> = async (ctx, input, deps) => {
  const move = MOVE_OF_BUTTON.get(input.button);
  if (move === undefined) {
    throw new AppError('bad_request', `Unknown checkout action: ${input.button}. Use pay, decline, delay or expire.`, {
      problems: [{ field: 'button', message: 'must be pay, decline, delay or expire' }],
    });
  }
  const delivery = await retryOrderRaces(async () => {
    const order = await deps.checkout.orderOf(input.token, input.form_token);
    if (!order.sandbox) throw notFound('payment link');
    await deps.checkout.mustBePayable(order);

    const payable = payableSession(order);
    const session = payable === null ? null : await deps.sessions.byKey(order.ws, payable.rail_key);
    const at = await deps.clocks.now(order.ws);
    const played = session === null ? null : await deps.rails.sandbox.play(session, move, at);
    if (played === null) throw conflict('bad_state', 'No checkout is open. Press Pay on the payment page first.');
    return played;
  });

  const { raw, signature } = delivery;
  const id = await deps.receiver.receive(deps.rails.sandbox.name, { raw: Buffer.from(raw), signature });
  if (id !== null) await deps.worker.apply(id);

  return shownPage(ctx, input.token, deps);
};
