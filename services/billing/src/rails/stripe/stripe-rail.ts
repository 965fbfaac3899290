import { conflict, unavailable } from '@cds/contracts';
import Stripe from 'stripe';
import { SIGNATURE_TOLERANCE_MS } from '../../domain/constants.js';
import type { RailEvent, ReturnedNow } from '../../domain/payment-event.js';
import type { Delivery, PaymentRail, RailState, RefundAnswer, RefundWanted, SessionWanted } from '../rail.js';
import { asked, isFuture, isGone, isNeverAnswered, type Outcome, stateOf } from './stripe-answer.js';
import { readStripeEvent } from './stripe-event.js';

export const STRIPE_RAIL = 'stripe';

/** The API version this adapter was written for; the account's default does not matter. */
export const STRIPE_API_VERSION = '2026-10-28.endive';

/** Stripe takes at most eight digits, in the smallest unit of the currency. */
export const STRIPE_MOST_CENTS = 99_999_999;
export const STRIPE_LEAST_CENTS = 50;
/** Per call: a person waits for the page. */
const CALL_MS = 8_000;
/** Stripe allows 24 hours; clocks may differ by some minutes. */
const SESSION_MS = 24 * 3_600_000 - 300_000;

export type StripeSettings = {
  /** A restricted key; docs/guides/rails.md names its permissions. */
  secretKey: string;
  webhookSecrets: readonly string[];
  apiUrl: string | null;
};

export class StripeRail implements PaymentRail {
  readonly name = STRIPE_RAIL;
  readonly mostCents = STRIPE_MOST_CENTS;
  readonly leastCents = STRIPE_LEAST_CENTS;
  private readonly stripe: Stripe;

  constructor(
    private readonly settings: StripeSettings,
    private readonly now: () => Promise<Date>,
  ) {
    const api = settings.apiUrl === null ? null : new URL(settings.apiUrl);
    this.stripe = new Stripe(settings.secretKey, {
      apiVersion: STRIPE_API_VERSION,
      maxNetworkRetries: 1,
      timeout: CALL_MS,
      telemetry: false,
      ...(api !== null && {
        host: api.hostname,
        port: Number(api.port),
        protocol: api.protocol === 'http:' ? ('http' as const) : ('https' as const),
      }),
    });
  }

  async open(wanted: SessionWanted): Promise<{ url: string; railId: string }> {
    const railId = wanted.session.rail_id ?? null;
    // An opened session is never created again: another release would use other parameters.
    const opened = railId === null ? await asked(() => this.create(wanted)) : await this.retrieved(wanted, railId);
    if (opened?.status !== 'open' || opened.url === null)
      throw conflict('bad_state', 'This checkout is closed. Open the payment page again.');
    return { url: opened.url, railId: opened.id };
  }

  async close(wanted: SessionWanted): Promise<RailState> {
    const found = await this.found(wanted);
    if (found === null) return 'closed';
    if (found.status !== 'open') return stateOf(await this.outcome(found));
    try {
      return stateOf(await this.outcome(await asked(() => this.stripe.checkout.sessions.expire(found.id))));
    } catch (error) {
      // The payer was faster; only the session itself says how it ended.
      if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error;
      return stateOf(await this.outcome(await asked(() => this.stripe.checkout.sessions.retrieve(found.id))));
    }
  }

  async look(wanted: SessionWanted): Promise<{ state: RailState; delivery: Delivery | null }> {
    const found = await this.found(wanted);
    if (found === null) return { state: 'closed', delivery: null };
    const outcome = await this.outcome(found);
    return { state: stateOf(outcome), delivery: await this.reported(found, outcome) };
  }

  async refund({ order, payment, amountCents, key }: RefundWanted): Promise<RefundAnswer> {
    try {
      // Stripe forgets an idempotency key after a day; the repayment's own metadata stays.
      const earlier = await asked(() => this.repayment(payment, key));
      const repaid =
        earlier ??
        (await asked(() =>
          this.stripe.refunds.create(
            {
              payment_intent: payment,
              amount: amountCents,
              metadata: { refund: key, order: order._id, workspace: order.ws },
            },
            { idempotencyKey: `refund:${key}` },
          ),
        ));
      return isGone(repaid)
        ? { state: 'refused', problem: `Stripe says: ${repaid.failure_reason ?? repaid.status}.` }
        : { state: 'done' };
    } catch (error) {
      if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error;
      return { state: 'refused', problem: `Stripe says: ${error.message}` };
    }
  }

  async returned(payment: string): Promise<ReturnedNow | null> {
    try {
      const refunds = await asked(() => this.refundsOf(payment));
      return {
        cents: refunds.reduce((sum, one) => (isGone(one) ? sum : sum + one.amount), 0),
        cameBack: refunds.filter(isGone).flatMap(({ metadata }) => metadata?.['refund'] ?? []),
      };
    } catch (error) {
      // A key of another account or mode does not see the payment.
      if (error instanceof Stripe.errors.StripeInvalidRequestError) return null;
      throw error;
    }
  }

  async ownerOf(payment: string): Promise<{ workspace: string; order_id: string } | null> {
    try {
      const { metadata } = await asked(() => this.stripe.paymentIntents.retrieve(payment));
      const { order, workspace } = metadata ?? {};
      return order === undefined || workspace === undefined ? null : { workspace, order_id: order };
    } catch (error) {
      // A key of another account or mode does not see the payment.
      if (error instanceof Stripe.errors.StripeInvalidRequestError) return null;
      throw error;
    }
  }

  verify(raw: Uint8Array, signature: string | null, now: Date): boolean {
    if (signature === null || isFuture(signature, now)) return false;
    return this.settings.webhookSecrets.some((secret) => {
      try {
        this.stripe.webhooks.constructEvent(
          Buffer.from(raw),
          signature,
          secret,
          SIGNATURE_TOLERANCE_MS / 1_000,
          undefined,
          now.getTime(),
        );
        return true;
      } catch {
        return false;
      }
    });
  }

  read(raw: string): RailEvent | null {
    return readStripeEvent(raw, /^(sk|rk)_live_/.test(this.settings.secretKey));
  }

  /** Every parameter derives from the stored session, so Stripe takes a repeated call for the same one. */
  private async create({ order, session, pageUrl }: SessionWanted): Promise<Stripe.Checkout.Session> {
    const back = pageUrl();
    const metadata = { order: order._id, workspace: order.ws, rail_key: session.rail_key };
    const made = await this.stripe.checkout.sessions.create(
      {
        mode: 'payment',
        allowed_payment_method_types: ['card'],
        client_reference_id: order._id,
        metadata: { ...metadata, generation: String(session.generation) },
        payment_intent_data: { metadata },
        line_items: [
          {
            quantity: 1,
            price_data: {
              currency: order.currency.toLowerCase(),
              unit_amount: order.total_cents,
              product_data: { name: `Order ${order._id}` },
            },
          },
        ],
        expires_at: Math.floor((session.opened_at.getTime() + SESSION_MS) / 1_000),
        success_url: back,
        cancel_url: back,
      },
      { idempotencyKey: `session:${session.rail_key}` },
    );
    // A repeated call gets the first answer word for word; only a read tells what became of the session.
    const isReplayed = made.lastResponse.headers['idempotent-replayed'] === 'true';
    return isReplayed ? this.stripe.checkout.sessions.retrieve(made.id) : made;
  }

  /**
   * Without an id, the answer to the creation was lost: asking again finds or creates the session. Null when it can
   * never be paid: expired, not accepted any more, or its page is known to nobody.
   */
  private async found(wanted: SessionWanted): Promise<Stripe.Checkout.Session | null> {
    const { session } = wanted;
    const railId = session.rail_id ?? null;
    if (railId !== null) return this.retrieved(wanted, railId);
    if ((await this.now()).getTime() - session.opened_at.getTime() > SESSION_MS) return null;
    try {
      return await asked(() => this.create(wanted), session.state === 'opening' ? isNeverAnswered : undefined);
    } catch (error) {
      if (error instanceof Stripe.errors.StripeError) return null;
      throw error;
    }
  }

  private async retrieved({ session }: SessionWanted, railId: string): Promise<Stripe.Checkout.Session | null> {
    try {
      return await asked(() => this.stripe.checkout.sessions.retrieve(railId));
    } catch (error) {
      if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error;
      // A key of another account or mode does not see it. It may be paid there until it has expired.
      if ((await this.now()).getTime() - session.opened_at.getTime() > SESSION_MS) return null;
      throw unavailable('The payment provider does not know this payment page. Try again tomorrow.', 3_600, error);
    }
  }

  private async repayment(payment: string, key: string): Promise<Stripe.Refund | null> {
    return (await this.refundsOf(payment)).find((one) => one.metadata?.['refund'] === key) ?? null;
  }

  private async refundsOf(payment: string): Promise<Stripe.Refund[]> {
    const found: Stripe.Refund[] = [];
    for await (const one of this.stripe.refunds.list({ payment_intent: payment, limit: 100 })) found.push(one);
    return found;
  }

  /** A session whose delayed payment failed stays complete and unpaid; only the payment says so. */
  private async outcome(session: Stripe.Checkout.Session): Promise<Outcome> {
    if (session.status === 'open') return 'open';
    if (session.status === 'expired') return 'closed';
    if (session.payment_status !== 'unpaid') return 'paid';
    const { payment_intent: payment } = session;
    if (payment === null) return 'pending';
    const id = typeof payment === 'string' ? payment : payment.id;
    const { status } = await asked(() => this.stripe.paymentIntents.retrieve(id));
    return status === 'requires_payment_method' || status === 'canceled' ? 'failed' : 'pending';
  }

  /** The event that Stripe sends for this state, signed as it would be; null if there is none. */
  private async reported(session: Stripe.Checkout.Session, outcome: Outcome): Promise<Delivery | null> {
    const type = {
      paid: 'checkout.session.completed',
      pending: 'checkout.session.completed',
      failed: 'checkout.session.async_payment_failed',
      closed: 'checkout.session.expired',
      open: null,
    }[outcome];
    const [secret] = this.settings.webhookSecrets;
    if (type === null || secret === undefined) return null;
    const seconds = Math.floor((await this.now()).getTime() / 1_000);
    const raw = JSON.stringify({
      id: `evt_seen_${session.id}_${outcome}`,
      object: 'event',
      type,
      created: seconds,
      data: { object: session },
    });
    return {
      raw,
      signature: this.stripe.webhooks.generateTestHeaderString({ payload: raw, secret, timestamp: seconds }),
    };
  }
}
