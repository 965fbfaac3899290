import { conflict, type InvoiceDetails } from '@cds/contracts';
import type { Clocks } from '@cds/service';
import type { Order } from '../../domain/order.js';
import type { RailEvent } from '../../domain/payment-event.js';
import { isSigned, signRaw } from '../../domain/signature.js';
import type { Delivery, PaymentRail, RailState, RefundAnswer, RefundWanted, SessionWanted } from '../rail.js';
import {
  eventOfInvoice,
  type InvoiceEvent,
  type InvoiceRow,
  invoicePaymentOf,
  moveInvoice,
  railKeyOfPayment,
  readInvoiceEvent,
} from './invoice.js';
import type { Invoices } from './invoices.js';

export const INVOICE_RAIL = 'invoice';

export const requestedInvoice = (order: Order, railKey: string, details: InvoiceDetails, at: Date): InvoiceRow => ({
  _id: railKey,
  ws: order.ws,
  order_id: order._id,
  sandbox: order.sandbox,
  amount_cents: order.total_cents,
  currency: order.currency,
  state: 'requested',
  details,
  number: null,
  due_on: null,
  sent_at: null,
  paid_at: null,
  bank_reference: null,
  withdrawn_reason: null,
  refunds: [],
  moved_at: at,
  rev: 1,
});

export const unnamedDetails = (order: Order): InvoiceDetails => ({
  legal_name: order.campaign.company ?? '',
  address: '',
  tax_id: '',
  purchase_order: '',
});

export class InvoiceRail implements PaymentRail {
  readonly name = INVOICE_RAIL;
  readonly mostCents = null;
  readonly leastCents = 1;

  constructor(
    private readonly invoices: Invoices,
    private readonly clocks: Clocks,
    private readonly secret: string,
  ) {}

  async open({ order, session, pageUrl }: SessionWanted): Promise<{ url: string; railId: null }> {
    const at = await this.clocks.now(order.ws);
    const invoice = await this.invoices.open(requestedInvoice(order, session.rail_key, unnamedDetails(order), at));
    if (invoice.state !== 'requested')
      throw conflict('bad_state', 'This invoice is no longer open. Open the payment page again.');
    return { url: pageUrl(), railId: null };
  }

  async close({ order, session }: SessionWanted): Promise<RailState> {
    const at = await this.clocks.now(order.ws);
    const fresh = requestedInvoice(order, session.rail_key, unnamedDetails(order), at);
    const invoice = await this.invoices.open(fresh);
    // A sent invoice may be paid any day; only the team can withdraw it.
    if (invoice.state !== 'requested') return railStateOf(invoice);
    const moved = moveInvoice(invoice, { kind: 'withdraw', reason: 'The order is not paid by invoice any more.' }, at);
    if (moved !== null) await this.invoices.save(invoice, moved.invoice);
    return 'closed';
  }

  async look({ order, session }: SessionWanted): Promise<{ state: RailState; delivery: Delivery | null }> {
    const invoice = await this.invoices.byKey(order.ws, session.rail_key);
    if (invoice === null) return { state: 'none', delivery: null };
    const event = eventOfInvoice(invoice);
    const { network } = await this.clocks.read([]);
    return { state: railStateOf(invoice), delivery: event === null ? null : this.deliver(event, network) };
  }

  async refund({ order, payment, amountCents, key, reference }: RefundWanted): Promise<RefundAnswer> {
    if (reference === null)
      return { state: 'refused', problem: 'An invoice is repaid by a bank transfer. Name its bank_reference.' };
    const railKey = railKeyOfPayment(payment);
    const invoice = await this.invoices.byKey(order.ws, railKey);
    if (invoice?.state !== 'paid') return { state: 'refused', problem: 'This invoice is not paid.' };
    const first = invoicePaymentOf(railKey);
    const others = invoice.refunds.reduce(
      (sum, one) =>
        one.key !== key && one.came_back !== true && (one.payment ?? first) === payment ? sum + one.amount_cents : sum,
      0,
    );
    if (others + amountCents > invoice.amount_cents)
      return { state: 'refused', problem: 'This is more than is left of the payment.' };
    await this.invoices.recordRefund(order.ws, railKey, {
      key,
      amount_cents: amountCents,
      bank_reference: reference,
      ...(payment !== first && { payment }),
    });
    return { state: 'done' };
  }

  async returned(): Promise<null> {
    return null;
  }

  async ownerOf(): Promise<null> {
    return null;
  }

  deliver(event: InvoiceEvent, signedAt: Date): Delivery {
    const raw = JSON.stringify(event);
    return { raw, signature: signRaw(this.secret, Buffer.from(raw), signedAt) };
  }

  verify(raw: Uint8Array, signature: string | null, now: Date): boolean {
    return isSigned([this.secret], raw, signature, now);
  }

  read(raw: string): RailEvent | null {
    return readInvoiceEvent(raw);
  }
}

const railStateOf = ({ state }: InvoiceRow): RailState => {
  switch (state) {
    case 'requested':
      return 'open';
    case 'sent':
      return 'pending';
    case 'paid':
      return 'paid';
    case 'withdrawn':
      return 'closed';
  }
};
