import { randomUUID } from 'node:crypto';
import { type Answer, invalid, listOf, metadataOf, ok, refused, unknown } from './answers.js';
import { StripeBooks } from './books.js';
import type { FakeSession } from './shapes.js';

/**
 * How the fake answers API calls: as it should, late, after losing the answer, or with Stripe's own errors. A broken
 * call answers 500, before it has done anything or after.
 */
export type Mood =
  | 'well'
  | 'slow'
  | 'loses answers'
  | 'away'
  | 'busy'
  | 'breaks before'
  | 'breaks after'
  | 'refuses refunds';

/** The largest amount that Stripe takes in US dollars. */
const MOST_CENTS = 99_999_999;

/** The calls of Stripe's API that billing makes, over its books. */
export abstract class StripeApi extends StripeBooks {
  mood: Mood = 'well';

  abstract get url(): string;

  protected answer(call: string, form: URLSearchParams, query: URLSearchParams): Answer {
    if (call === 'POST /v1/checkout/sessions') return this.createSession(form);
    const session = /^(?:GET|POST) \/v1\/checkout\/sessions\/([^/]+)(\/expire)?$/.exec(call);
    if (session !== null) return this.onSession(session[1] ?? '', session[2] !== undefined);
    const payment = /^GET \/v1\/payment_intents\/([^/]+)$/.exec(call)?.[1];
    if (payment !== undefined) return found(this.payments.get(payment), `payment_intent: ${payment}`);
    if (call === 'POST /v1/refunds') return this.createRefund(form);
    if (call === 'GET /v1/refunds') return this.listRefunds(query.get('payment_intent') ?? '');
    return unknown(`request URL (${call})`);
  }

  private createSession(form: URLSearchParams): Answer {
    if (form.get('mode') !== 'payment') return invalid('`mode` must be payment.');
    const methods = listOf(form, 'allowed_payment_method_types');
    if (methods.length === 0) return invalid('Without `allowed_payment_method_types` any method could be chosen.');
    const cents = Number(form.get('line_items[0][price_data][unit_amount]'));
    if (cents > MOST_CENTS) return invalid('The Checkout Session’s total amount must be no more than $999,999.99.');
    const expiresAt = Number(form.get('expires_at'));
    const seconds = Date.now() / 1_000;
    if (expiresAt < seconds + 1_800 || expiresAt > seconds + 86_400)
      return invalid('The `expires_at` timestamp must be 30 minutes to 24 hours from now.');
    const id = `cs_${randomUUID().replaceAll('-', '')}`;
    const session: FakeSession = {
      id,
      object: 'checkout.session',
      mode: 'payment',
      status: 'open',
      payment_status: 'unpaid',
      payment_intent: null,
      allowed_payment_method_types: methods,
      amount_total: cents,
      currency: form.get('line_items[0][price_data][currency]') ?? '',
      client_reference_id: form.get('client_reference_id'),
      metadata: metadataOf(form, 'metadata'),
      payment_metadata: metadataOf(form, 'payment_intent_data[metadata]'),
      url: `${this.url}/pay/${id}`,
      expires_at: expiresAt,
      success_url: form.get('success_url') ?? '',
    };
    this.sessions.set(id, session);
    return ok({ ...session });
  }

  private onSession(id: string, expires: boolean): Answer {
    const session = this.sessions.get(id);
    if (session !== undefined && expires) {
      if (session.status !== 'open') return refused('Only Checkout Sessions with a status of open can be expired.');
      this.expire(id);
    }
    return found(session, `checkout.session: ${id}`);
  }

  private listRefunds(payment: string): Answer {
    if (!this.payments.has(payment)) return unknown(`payment_intent: ${payment}`);
    return ok({ object: 'list', url: '/v1/refunds', has_more: false, data: this.refundsOf(payment).toReversed() });
  }

  private createRefund(form: URLSearchParams): Answer {
    const payment = form.get('payment_intent') ?? '';
    const cents = Number(form.get('amount'));
    const known = this.payments.get(payment);
    if (known === undefined) return unknown(`payment_intent: ${payment}`);
    if (known.status !== 'succeeded') return refused('This PaymentIntent has no successful charge to refund.');
    if (this.mood === 'refuses refunds') return refused('This payment is too old to be refunded.');
    if (cents > this.leftOf(payment)) return refused('Refund amount is greater than unrefunded amount on charge.');
    return ok({ ...this.repay(payment, cents, metadataOf(form, 'metadata')).refund });
  }
}

const found = (one: object | undefined, what: string): Answer => (one === undefined ? unknown(what) : ok({ ...one }));
