import { randomUUID } from 'node:crypto';
import type { FakeEvent, FakePayment, FakeRefund, FakeSession, Metadata } from './shapes.js';

/** What Stripe knows, and what payers and people at its dashboard do: each move makes the event that reports it. */
export class StripeBooks {
  /** Every event so far, as it was or would be delivered. */
  readonly events: FakeEvent[] = [];
  protected readonly sessions = new Map<string, FakeSession>();
  protected readonly payments = new Map<string, FakePayment>();
  private readonly refunds = new Map<string, FakeRefund>();
  /** What lost disputes took, by dispute, in US cents. */
  private readonly lost = new Map<string, { payment: string; cents: number }>();

  /** The newest session of an order; undefined before the first. */
  sessionOf(orderId: string): Readonly<FakeSession> | undefined {
    return this.sessionsOf(orderId).at(-1);
  }

  sessionsOf(orderId: string): readonly Readonly<FakeSession>[] {
    return [...this.sessions.values()].filter((one) => one.metadata['order'] === orderId);
  }

  refundsOf(payment: string): readonly Readonly<FakeRefund>[] {
    return [...this.refunds.values()].filter((one) => one.payment_intent === payment);
  }

  /** The payer pays an open session; with a method that settles later, `settle` or `fail` follows. */
  pay(sessionId: string, method: 'card' | 'delayed' = 'card'): FakeEvent {
    const session = this.open(sessionId);
    session.status = 'complete';
    session.url = null;
    const payment: FakePayment = {
      id: `pi_${session.id.slice(3)}`,
      object: 'payment_intent',
      status: method === 'card' ? 'succeeded' : 'processing',
      amount: session.amount_total,
      refunded: 0,
      currency: session.currency,
      metadata: session.payment_metadata,
    };
    session.payment_intent = payment.id;
    this.payments.set(payment.id, payment);
    session.payment_status = method === 'card' ? 'paid' : 'unpaid';
    return this.happened('checkout.session.completed', session);
  }

  /** The same payer pays the same sum once more, and Stripe keeps both payments. */
  payAgain(payment: string): string {
    const again = { ...this.paid(payment), id: `${payment}_again`, refunded: 0 };
    this.payments.set(again.id, again);
    return again.id;
  }

  /** Money of another amount or currency than the session's arrives for it. */
  payOther(sessionId: string, { cents, currency }: { cents: number; currency?: string }): FakeEvent {
    const session = this.open(sessionId);
    session.amount_total = cents;
    session.currency = currency ?? session.currency;
    return this.pay(sessionId);
  }

  /** A payment of another product on the same account. */
  payElsewhere(cents: number): string {
    const id = `pi_${randomUUID().replaceAll('-', '')}`;
    const payment = { amount: cents, refunded: 0, currency: 'usd', metadata: {} };
    this.payments.set(id, { id, object: 'payment_intent', status: 'succeeded', ...payment });
    return id;
  }

  settle(sessionId: string): FakeEvent {
    const session = this.known(sessionId);
    session.payment_status = 'paid';
    this.paid(session.payment_intent ?? '').status = 'succeeded';
    return this.happened('checkout.session.async_payment_succeeded', session);
  }

  /** The session stays complete and unpaid; only its payment says that it failed. */
  fail(sessionId: string): FakeEvent {
    const session = this.known(sessionId);
    this.paid(session.payment_intent ?? '').status = 'requires_payment_method';
    return this.happened('checkout.session.async_payment_failed', session);
  }

  expire(sessionId: string): FakeEvent {
    const session = this.open(sessionId);
    session.status = 'expired';
    session.url = null;
    return this.happened('checkout.session.expired', session);
  }

  /** A person repays in Stripe's own dashboard. */
  refundByHand(payment: string, cents: number): FakeEvent {
    return this.repay(payment, cents, {}).event;
  }

  /** A dispute about the payment or `cents` of it. A payment may have several, each with its `number`. */
  dispute(payment: string, status: 'needs_response' | 'lost' | 'won', cents?: number, number = 1): FakeEvent {
    const type = status === 'needs_response' ? 'charge.dispute.created' : 'charge.dispute.closed';
    if (status === 'lost')
      this.lost.set(disputeId(payment, number), {
        payment,
        cents: Math.min(cents ?? this.paid(payment).amount, this.leftOf(payment)),
      });
    return this.happened(type, this.disputeOf(payment, status, number, cents));
  }

  private disputeOf(payment: string, status: string, number: number, cents?: number): object {
    const { amount, currency } = this.paid(payment);
    const id = disputeId(payment, number);
    const taken = this.lost.get(id)?.cents ?? 0;
    return {
      id,
      object: 'dispute',
      payment_intent: payment,
      amount: cents ?? amount,
      currency,
      status,
      balance_transactions: taken === 0 ? [] : [{ object: 'balance_transaction', amount: -taken, currency }],
    };
  }

  /** The bank sends a repayment back: the payment counts as not repaid by it. */
  refundFails(refundId: string): FakeEvent {
    return this.happened('refund.failed', this.gone(refundId, 'failed'));
  }

  /** The same, as the events say it that older endpoints have subscribed. */
  refundEnds(
    refundId: string,
    type: 'refund.updated' | 'charge.refund.updated',
    status: 'failed' | 'canceled',
  ): FakeEvent {
    return this.happened(type, this.gone(refundId, status));
  }

  /** A dispute that was lost is won after all. */
  reinstate(payment: string, number = 1): FakeEvent {
    this.lost.delete(disputeId(payment, number));
    return this.happened('charge.dispute.funds_reinstated', this.disputeOf(payment, 'won', number));
  }

  /** What is left of a payment after repayments and lost disputes. */
  leftOf(payment: string): number {
    const { amount, refunded } = this.paid(payment);
    const lost = [...this.lost.values()].filter((one) => one.payment === payment);
    return amount - refunded - lost.reduce((sum, { cents }) => sum + cents, 0);
  }

  private gone(refundId: string, status: 'failed' | 'canceled'): FakeRefund {
    const refund = this.refunds.get(refundId);
    if (refund === undefined) throw new Error(`no refund ${refundId}`);
    refund.status = status;
    refund.failure_reason = status === 'failed' ? 'lost_or_stolen_card' : null;
    this.paid(refund.payment_intent).refunded -= refund.amount;
    return refund;
  }

  protected repay(payment: string, cents: number, metadata: Metadata): { refund: FakeRefund; event: FakeEvent } {
    const paid = this.paid(payment);
    paid.refunded += cents;
    const refund: FakeRefund = {
      id: `re_${randomUUID().replaceAll('-', '')}`,
      object: 'refund',
      payment_intent: payment,
      amount: cents,
      currency: paid.currency,
      status: 'succeeded',
      failure_reason: null,
      metadata,
    };
    this.refunds.set(refund.id, refund);
    const charge = {
      id: `ch_${payment}`,
      object: 'charge',
      payment_intent: payment,
      amount: paid.amount,
      amount_refunded: paid.refunded,
      currency: paid.currency,
      metadata: paid.metadata,
    };
    return { refund, event: this.happened('charge.refunded', charge) };
  }

  protected happened(type: string, object: object): FakeEvent {
    const event: FakeEvent = {
      id: `evt_${randomUUID().replaceAll('-', '')}`,
      object: 'event',
      type,
      livemode: false,
      created: Math.floor(Date.now() / 1_000),
      data: { object: structuredClone(object) },
    };
    this.events.push(event);
    return event;
  }

  private open(id: string): FakeSession {
    const session = this.known(id);
    if (session.status !== 'open') throw new Error(`the session ${id} is ${session.status}`);
    return session;
  }

  private known(id: string): FakeSession {
    const session = this.sessions.get(id);
    if (session === undefined) throw new Error(`no session ${id}`);
    return session;
  }

  private paid(id: string): FakePayment {
    const payment = this.payments.get(id);
    if (payment === undefined) throw new Error(`no payment ${id}`);
    return payment;
  }
}

const disputeId = (payment: string, number: number): string => `dp_${payment}_${number}`;
