import { conflict, hiddenIn, INVOICE_DETAIL_MAX, type InvoiceDetails, isVisible, unprocessable } from '@cds/contracts';
import { type Ctx, LostRace, type WriteHandler } from '@cds/service';
import { notOffered, offerOf, type TermsNumber } from '../domain/offer.js';
import type { Order } from '../domain/order.js';
import { retryOrderRaces } from '../payment/booking.js';
import { type Checkout, nextSession, payableSession } from '../payment/checkout.js';
import { requestedInvoice } from '../rails/invoice/invoice-rail.js';
import type { Invoices } from '../rails/invoice/invoices.js';
import type { Orders } from '../store/orders.js';
import { type PayPageDeps, shownPage } from './pay-page.js';

export type PayInvoiceDeps = PayPageDeps & { checkout: Checkout; orders: Orders; invoices: Invoices };

/** Raises not_found, forbidden, unprocessable, conflict (bad_state). Source: docs/domain/orders.md#rails. */
export const payInvoice: WriteHandler<'pay_invoice', PayInvoiceDeps> = async (ctx, input, deps) => {
  const { checkout, orders, invoices } = deps;
  const details = detailsOf(input.details);
  const numbers = await deps.terms.numbers();
  await retryOrderRaces(async () => {
    const order = await checkout.orderOf(input.token, input.form_token);
    await checkout.mustBePayable(order);
    if (order.rail !== 'invoice')
      throw conflict('bad_state', 'This order is set to card checkout. Choose the bank transfer first.');

    await mustBeOfferedOrAsked(ctx, order, numbers, deps);

    // The session names the invoice before it exists, so an interrupted request is continued, never doubled.
    const session = payableSession(order) ?? nextSession(order, ctx.networkNow);
    const opening =
      session === order.session
        ? order
        : await orders.save(order, { ...order, generation: session.generation, session });
    const before = await invoices.open(requestedInvoice(order, session.rail_key, details, ctx.now));
    if (before.state === 'withdrawn') {
      // A withdrawal was interrupted: its session ends here, and the next one has its own invoice.
      await orders.save(opening, { ...opening, session: { ...session, state: 'closed' } });
      throw new LostRace('invoice');
    }
    if (before.state !== 'requested')
      throw conflict('bad_state', 'This invoice was sent already. Write to us to have it corrected.');
    await invoices.save(before, { ...before, details, rev: before.rev + 1 });
    if (session.state !== 'open') await orders.save(opening, { ...opening, session: { ...session, state: 'open' } });
  });
  return shownPage(ctx, input.token, deps);
};

/** If the rail is no longer offered, a requested invoice continues, but no new one is accepted. */
const mustBeOfferedOrAsked = async (
  { switches }: Ctx,
  order: Order,
  numbers: readonly TermsNumber[],
  { invoices, rails, seller }: PayInvoiceDeps,
): Promise<void> => {
  const offer = offerOf(rails.checkout(order.sandbox), switches, numbers, order.total_cents);
  if (offer.options.some(({ rail }) => rail === 'invoice')) return;
  const session = payableSession(order);
  const asked = session === null ? null : await invoices.byKey(order.ws, session.rail_key);
  if (asked === null || asked.state === 'withdrawn') throw conflict('bad_state', notOffered(offer, 'invoice', seller));
};

const REQUIRED = ['legal_name', 'address'] as const;
const FIELDS = Object.keys(INVOICE_DETAIL_MAX) as (keyof InvoiceDetails)[];

const detailsOf = (typed: Record<string, string>): InvoiceDetails => {
  const details = Object.fromEntries(
    FIELDS.map((field) => [field, (typed[field] ?? '').replace(/\r\n?/g, '\n').normalize('NFC').trim()]),
  ) as InvoiceDetails;
  const problems = FIELDS.flatMap((field) => {
    const message = problemOf(field, details[field]);
    return message === null ? [] : [{ field, message }];
  });
  if (problems.length > 0) throw unprocessable(problems);
  return details;
};

const problemOf = (field: keyof InvoiceDetails, text: string): string | null => {
  const max = INVOICE_DETAIL_MAX[field];
  if (text === '') return (REQUIRED as readonly string[]).includes(field) ? 'is required' : null;
  if ([...text].length > max) return `must have at most ${max} characters`;
  const hidden = hiddenIn(field === 'address' ? text.replaceAll('\n', '') : text);
  if (hidden === null && !isVisible(text)) return 'must have a character that people see';
  return hidden === null ? null : `contains the hidden character ${hidden}; type it by hand instead of pasting it`;
};
