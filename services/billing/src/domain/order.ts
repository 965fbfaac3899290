import type { OrderCampaign, OrderLine, PaymentState, Rail } from '@cds/contracts';
import type { Account, Hold } from './authority.js';
import { CURRENCY, UNPAID_MS } from './constants.js';
import type { OwedCredit } from './credit.js';
import type { LedgerEntry } from './order-state.js';
import { receiptIdOf } from './receipt.js';

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

/** What a signed plan becomes. Source: docs/domain/orders.md#approve-answer. */
export const signedOrder = (hold: Hold, lines: OrderLine[], campaign: OrderCampaign, payTokenHash: string): Order => ({
  _id: hold.order_id,
  ws: hold.ws,
  sandbox: hold.principal.sandbox,
  plan_id: hold.plan_id,
  campaign,
  key_id: hold.principal.key,
  ...(hold.principal.parent !== undefined && { parent_key_id: hold.principal.parent.key }),
  mandate_version: hold.mandate_version,
  terms_version: hold.terms_version,
  version: 1,
  rev: 1,
  payment_state: 'unpaid',
  total_cents: hold.total_cents,
  currency: CURRENCY,
  signed_at: hold.approved_at,
  paid_at: null,
  refunded_at: null,
  cancelled_at: null,
  lines,
  rail: hold.rail,
  pay_token: hold.pay_token,
  pay_token_hash: payTokenHash,
  pay_expires_at: new Date(hold.approved_at.getTime() + UNPAID_MS),
  month: hold.month,
  signing_id: hold.signing_id,
  receipt_id: receiptIdOf(hold),
  generation: 0,
  session: null,
});

export const signedEntry = (order: Order, id: string): LedgerEntry => ({
  _id: id,
  ws: order.ws,
  order_id: order._id,
  seq: 1,
  kind: 'signed',
  amount_cents: 0,
  rail: order.rail,
  rail_ref: order.signing_id,
  line_id: null,
  cause: 'approved',
  actor: `key:${order.key_id}`,
  at: order.signed_at,
});

export const signedAudit = (order: Order) => ({
  ws: order.ws,
  actor: `key:${order.key_id}`,
  action: 'order.signed',
  object: order._id,
  payload: {
    plan_id: order.plan_id,
    total_cents: order.total_cents,
    signing_id: order.signing_id,
    mandate_version: order.mandate_version,
    ...(order.parent_key_id !== undefined && { parent_key_id: order.parent_key_id }),
    terms_version: order.terms_version,
    signed_at: order.signed_at.toISOString(),
  },
});
