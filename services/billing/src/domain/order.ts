import type { OrderCampaign, OrderLine, PaymentState, Rail } from '@cds/contracts';
import type { Account } from './account.js';
import type { OwedCredit } from './credit.js';

/** Stored before the rail is called, so that a lost answer is requested again under the same key. */
export type Session = {
  generation: number;
  rail_key: string;
  state: 'opening' | 'open' | 'closed';
  url: string | null;
  opened_at: Date;
  rail_id?: string | null;
};

/** `rev` counts every change, `version` the public ones (docs/domain/orders.md#orders). */
export type Order = {
  _id: string;
  ws: string;
  sandbox: boolean;
  plan_id: string;
  campaign: OrderCampaign;
  key_id: string;
  /** Set when a child key signed: the parent, whose cap the cents count against. */
  parent_key_id?: string;
  mandate_version: number;
  terms_version: string | null;
  version: number;
  rev: number;
  payment_state: PaymentState;
  total_cents: number;
  currency: string;
  signed_at: Date;
  paid_at: Date | null;
  refunded_at: Date | null;
  cancelled_at: Date | null;
  lines: OrderLine[];
  ended_lines?: string[];
  /** What its lines owe, whether or not the payment had room for it. */
  owed?: OwedCredit[];
  rail: Rail;
  pay_token: string;
  pay_token_hash: string;
  pay_expires_at: Date;
  month: string;
  signing_id: string;
  /** Absent in orders signed before receipts existed. */
  receipt_id?: string;
  generation: number;
  session: Session | null;
  /** The repayment that the rail is working on. One at a time, so that each increase an event reports has one cause. */
  refunding?: string | null;
};

export const accountOfOrder = ({ key_id: key, parent_key_id: parent }: Order): Account =>
  parent === undefined ? { document: key, child: null } : { document: parent, child: key };

export const isLineEnded = ({ payment_state, ended_lines = [] }: Order, lineId: string | null): boolean =>
  payment_state === 'cancelled' || (lineId !== null && ended_lines.includes(lineId));

/** Each date is set by the first entry that leads to its state; money that comes back clears `refunded_at`. */
export const moved = (order: Order, state: PaymentState, at: Date): Order => ({
  ...order,
  payment_state: state,
  paid_at: order.paid_at ?? (state === 'paid' ? at : null),
  refunded_at: state === 'refunded' ? at : null,
  cancelled_at: order.cancelled_at ?? (state === 'cancelled' ? at : null),
});

export const railKeyOf = (orderId: string, generation: number): string => `${orderId}:${generation}`;

export const orderNumberOf = (orderId: string): string => `CDS-${orderId.replaceAll('-', '').slice(-10).toUpperCase()}`;
