import type { RailEvent, RailState, RefundAnswer, ReturnedNow } from '@cds/billing/testing';
import { conflict } from '@cds/contracts';

export type Wanted = { key: string; ws: string; order: string; cents: number };
export type CardSession = Wanted & { state: RailState };
/** Money that the rail received, and all that it returned of it. */
export type CardPayment = Wanted & {
  id: string;
  /** What billing asked to return, by refund id. */
  refunds: Map<string, number>;
  /** Those of them that came back. */
  cameBack: Set<string>;
  /** Returned by a person at the rail itself, and taken back by a dispute. */
  byHand: number;
  disputed: number;
  /** The newest dispute that was lost. */
  dispute: string;
};

type Happened = Pick<RailEvent, 'kind' | 'amount_cents' | 'rail_ref' | 'rail_key'> & {
  dispute?: string;
  taken_cents?: number;
  repayment?: string;
};

export const returnedOf = ({ refunds, byHand, disputed }: CardPayment): number =>
  [...refunds.values()].reduce((sum, cents) => sum + cents, byHand + disputed);

/**
 * The truth of what cards paid: sessions and payments as a card rail has them. Every move reports an event; a charge
 * may be reported as one that is never delivered.
 */
export class CardBooks {
  readonly sessions = new Map<string, CardSession>();
  readonly payments = new Map<string, CardPayment>();
  /** What billing should never have asked for. */
  readonly violations: string[] = [];
  /** Refunds that the rail refused for reasons of its own, for good. */
  private readonly refused = new Set<string>();
  private disputes = 0;
  private events = 0;

  constructor(
    /** With the payment of an expected charge: asking about its session finds it too. */
    private readonly report: (event: Omit<RailEvent, 'occurred_at'>, expected: CardPayment | null) => void,
    private readonly refuses: () => boolean,
  ) {}

  open(wanted: Wanted): void {
    const known = this.sessions.get(wanted.key);
    if (known?.state === 'open') return;
    if (known !== undefined) throw conflict('bad_state', 'This checkout is closed. Open the payment page again.');
    for (const { order, state } of this.sessions.values())
      if (order === wanted.order && state === 'open') this.violations.push('I19: two sessions of one order are open');
    this.sessions.set(wanted.key, { ...wanted, state: 'open' });
  }

  /** One that was never opened is kept as closed, which a late request to open it then finds. */
  close(wanted: Wanted): RailState {
    const known = this.sessions.get(wanted.key);
    if (known === undefined) this.sessions.set(wanted.key, { ...wanted, state: 'closed' });
    else if (known.state === 'open') this.expire(known);
    return this.sessions.get(wanted.key)?.state ?? 'closed';
  }

  expire(session: CardSession): void {
    session.state = 'closed';
    this.happened(session, { kind: 'closed', amount_cents: session.cents, rail_ref: '', rail_key: session.key });
  }

  /** The payer pays by a method that settles at once, or later. */
  pay(session: CardSession, method: 'card' | 'delayed'): void {
    if (session.state !== 'open') return;
    if (method === 'card') {
      this.charge(session);
      return;
    }
    session.state = 'pending';
    const reported = { amount_cents: session.cents, rail_ref: `pay_${session.key}_1`, rail_key: session.key };
    this.happened(session, { kind: 'pending', ...reported });
  }

  settle(session: CardSession): void {
    if (session.state === 'pending') this.charge(session);
  }

  fail(session: CardSession): void {
    if (session.state !== 'pending') return;
    session.state = 'closed';
    const reported = { amount_cents: session.cents, rail_ref: `pay_${session.key}_1`, rail_key: session.key };
    this.happened(session, { kind: 'failed', ...reported });
  }

  /** Money arrives: with the session's first payment, once more, or although the session was closed. */
  charge(session: CardSession): void {
    const isExpected = session.state === 'open' || session.state === 'pending';
    const earlier = this.paymentsOf(session.order).filter(({ key }) => key === session.key);
    const id = `pay_${session.key}_${earlier.length + 1}`;
    const payment: CardPayment = {
      ...session,
      id,
      refunds: new Map(),
      cameBack: new Set(),
      byHand: 0,
      disputed: 0,
      dispute: '',
    };
    session.state = 'paid';
    this.payments.set(id, payment);
    const reported = { amount_cents: session.cents, rail_ref: id, rail_key: session.key };
    this.happened(session, { kind: 'charge', ...reported }, isExpected ? payment : null);
  }

  paymentsOf(order: string): CardPayment[] {
    return [...this.payments.values()].filter((one) => one.order === order);
  }

  /** The event of a session's present state, for one who asks; null where there is none. */
  reportOf(session: CardSession): Omit<RailEvent, 'occurred_at'> | null {
    const kind = { open: null, none: null, pending: 'pending', paid: 'charge', closed: 'closed' } as const;
    const of = kind[session.state];
    if (of === null) return null;
    const payment = [...this.payments.values()].find(({ key }) => key === session.key);
    const rail_ref = of === 'closed' ? '' : (payment?.id ?? `pay_${session.key}_1`);
    const reported = { kind: of, amount_cents: session.cents, rail_ref, rail_key: session.key };
    return { ...eventOf(session, reported), event_id: `seen_${session.key}_${session.state}` };
  }

  /** Returns money once for each key; a refusal is for good. */
  refund(id: string, key: string, cents: number): RefundAnswer {
    const payment = this.payments.get(id);
    if (payment === undefined) return { state: 'refused', problem: 'The rail has no such payment.' };
    if (payment.refunds.has(key)) return { state: 'done' };
    if (payment.cameBack.has(key)) return { state: 'refused', problem: 'The bank sent it back.' };
    if (this.refused.has(key) || this.refuses()) {
      this.refused.add(key);
      return { state: 'refused', problem: 'The card was closed.' };
    }
    if (returnedOf(payment) + cents > payment.cents) {
      if (payment.byHand + payment.disputed === 0) this.violations.push('I21: more was to be repaid than was paid');
      this.refused.add(key);
      return { state: 'refused', problem: 'This is more than is left of the payment.' };
    }
    payment.refunds.set(key, cents);
    this.returned(payment);
    return { state: 'done' };
  }

  /** A person returns money at the rail's own page. */
  repayByHand(payment: CardPayment, cents: number): void {
    const left = Math.min(cents, payment.cents - returnedOf(payment));
    if (left <= 0) return;
    payment.byHand += left;
    this.returned(payment);
  }

  /** The bank sends a repayment back. */
  comesBack(payment: CardPayment, key: string): void {
    const cents = payment.refunds.get(key);
    if (cents === undefined) return;
    payment.refunds.delete(key);
    payment.cameBack.add(key);
    const reported = { amount_cents: cents, rail_ref: payment.id, rail_key: null, repayment: key };
    this.happened(payment, { kind: 'returned', ...reported });
  }

  /** The bank sends money back that a person returned at the rail's own page. */
  byHandComesBack(payment: CardPayment): void {
    const cents = payment.byHand;
    if (cents === 0) return;
    payment.byHand = 0;
    this.happened(payment, { kind: 'returned', amount_cents: cents, rail_ref: payment.id, rail_key: null });
  }

  disputeIsWon(payment: CardPayment): void {
    if (payment.disputed === 0) return;
    const reported = { amount_cents: payment.cents, rail_ref: payment.id, rail_key: null, dispute: payment.dispute };
    payment.disputed = 0;
    this.happened(payment, { kind: 'dispute_won', ...reported });
  }

  /** A dispute about the whole payment is lost and takes what is left; once it is won, there may be another. */
  dispute(payment: CardPayment): void {
    const taken_cents = payment.cents - returnedOf(payment);
    if (taken_cents <= 0 || payment.disputed > 0) return;
    this.disputes += 1;
    payment.disputed = taken_cents;
    payment.dispute = `dispute_${payment.id}_${this.disputes}`;
    const reported = { amount_cents: payment.cents, rail_ref: payment.id, rail_key: null, dispute: payment.dispute };
    this.happened(payment, { kind: 'dispute_lost', ...reported, taken_cents });
  }

  /** What a rail says that it returned of a payment: all of it, without what disputes took. */
  reportedOf(id: string): ReturnedNow {
    const payment = this.payments.get(id);
    if (payment === undefined) return { cents: 0, cameBack: [] };
    return { cents: returnedOf(payment) - payment.disputed, cameBack: [...payment.cameBack] };
  }

  /** Rails report refunds cumulatively. */
  private returned({ id, ...payment }: CardPayment): void {
    const { cents: amount_cents } = this.reportedOf(id);
    this.happened(payment, { kind: 'refund', amount_cents, rail_ref: id, rail_key: null });
  }

  private happened(of: Wanted, event: Happened, expected: CardPayment | null = null): void {
    this.events += 1;
    this.report({ ...eventOf(of, event), event_id: `evt_${this.events}` }, expected);
  }
}

const eventOf = ({ order, ws }: Wanted, event: Happened): Omit<RailEvent, 'occurred_at' | 'event_id'> => ({
  order_id: order,
  workspace: ws,
  sandbox: false,
  currency: 'USD',
  cause: event.kind,
  ...event,
});
