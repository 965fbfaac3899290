// What a signed plan becomes (docs/domain/orders.md#approve-answer).
import type { OrderCampaign, OrderLine } from '@cds/contracts';
import type { Hold } from './authority.js';
import { CURRENCY, UNPAID_MS } from './constants.js';
import type { Order } from './order.js';
import type { LedgerEntry } from './order-state.js';
import { receiptIdOf } from './receipt.js';

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
