import type { PayPage } from '@cds/contracts';
import { day, money, stateLabel } from '../foundation/format.js';
import { formatWords, hasInvoice, hasReceipt, launchWindow } from './pay-model.js';

export type Party = { heading: string; name: string; lines: string[] };

/** An invoice or a receipt, the same on its page and in its file. Every text is plain. */
export type Paper = {
  kind: 'invoice' | 'receipt';
  title: string;
  /** On a document of a sandbox: that it is no real invoice or receipt. */
  warning: string | null;
  orderNumber: string;
  parties: Party[];
  facts: { label: string; value: string }[];
  items: { what: string; details: string[]; amount: string }[];
  totals: { label: string; value: string; strong: boolean }[];
  notes: { heading: string; lines: string[] }[];
  /** When it was made, which is the date of its file. */
  at: string;
};

const present = (lines: readonly string[]): string[] => lines.filter((line) => line !== '');

/** The lines of a text as it was typed, without empty ones. */
const linesOf = (text: string): string[] => present(text.split('\n').map((line) => line.trim()));

const sellerOf = ({ seller }: PayPage): Party => ({
  heading: 'From',
  name: seller.name,
  lines: present([...seller.address, seller.tax_id === '' ? '' : `Tax id ${seller.tax_id}`, seller.email]),
});

/** Whom an invoice is made out to; without one, the company as it is known here. */
const buyerOf = ({ invoice, company }: PayPage, billed: boolean): Party => {
  if (!billed || invoice === null) return { heading: 'To', name: company ?? 'The holder of this order', lines: [] };
  const { legal_name, address, tax_id, purchase_order } = invoice.details;
  return {
    heading: 'To',
    name: legal_name,
    lines: present([
      ...linesOf(address),
      tax_id === '' ? '' : `Tax id ${tax_id}`,
      purchase_order === '' ? '' : `Purchase order ${purchase_order}`,
    ]),
  };
};

const warningOf = (shown: PayPage, what: string): string | null =>
  shown.sandbox ? `This is a sandbox. No money moves, and this is no real ${what}.` : null;

/** What was bought. Posts have no prices of their own here: only the order's total was signed by the payer. */
const itemsOf = (shown: PayPage): Paper['items'] => [
  {
    what: `Paid posts by creators for “${shown.campaign}”`,
    details: [launchWindow(shown), ...shown.formats.map(formatWords)],
    amount: money(shown.total_cents, shown.currency),
  },
];

/** The invoice of an order once the team has sent it; null before, and after it was withdrawn. */
export const invoicePaper = (shown: PayPage): Paper | null => {
  const { invoice, currency } = shown;
  if (invoice === null || !hasInvoice(shown)) return null;
  const total = money(shown.total_cents, currency);
  const paid = invoice.state === 'paid';
  const number = invoice.number ?? shown.order_number;
  return {
    kind: 'invoice',
    title: `Invoice ${number}`,
    warning: warningOf(shown, 'invoice'),
    orderNumber: shown.order_number,
    parties: [sellerOf(shown), buyerOf(shown, true)],
    facts: [
      { label: 'Invoice', value: number },
      { label: 'Order', value: shown.order_number },
      ...(invoice.sent_at === null ? [] : [{ label: 'Date', value: day(invoice.sent_at) }]),
      ...(invoice.due_on === null ? [] : [{ label: 'Due', value: day(invoice.due_on) }]),
    ],
    items: itemsOf(shown),
    totals: [
      { label: 'Total', value: total, strong: !paid },
      ...(paid
        ? [
            {
              label: `Paid${invoice.paid_at === null ? '' : ` on ${day(invoice.paid_at)}`}`,
              value: total,
              strong: false,
            },
            { label: 'Amount due', value: money(0, currency), strong: true },
          ]
        : []),
    ],
    notes:
      paid || shown.seller.bank.length === 0
        ? []
        : [{ heading: 'Pay by bank transfer', lines: [...shown.seller.bank, `Reference: ${number}`] }],
    at: invoice.sent_at ?? shown.signed_at,
  };
};

const RAIL_PAID = { checkout: 'Card', invoice: 'Bank transfer' } as const;

/** The receipt of an order once it was paid, whatever became of it after that; null before. */
export const receiptPaper = (shown: PayPage): Paper | null => {
  if (shown.paid_at === null || !hasReceipt(shown)) return null;
  const { invoice, currency, refunded_cents: refunded } = shown;
  const billed = invoice?.state === 'paid';
  return {
    kind: 'receipt',
    title: `Receipt for order ${shown.order_number}`,
    warning: warningOf(shown, 'receipt'),
    orderNumber: shown.order_number,
    parties: [sellerOf(shown), buyerOf(shown, billed)],
    facts: [
      { label: 'Order', value: shown.order_number },
      ...(billed && invoice.number !== null ? [{ label: 'Invoice', value: invoice.number }] : []),
      { label: 'Paid', value: day(shown.paid_at) },
      { label: 'By', value: shown.sandbox ? 'Simulated payment' : RAIL_PAID[billed ? 'invoice' : shown.rail] },
      { label: 'State', value: stateLabel(shown.payment_state) },
    ],
    items: itemsOf(shown),
    totals: [
      { label: 'Paid', value: money(shown.total_cents, currency), strong: refunded === 0 },
      ...(refunded === 0
        ? []
        : [
            {
              label: `Refunded${shown.refunded_at === null ? '' : `, newest on ${day(shown.refunded_at)}`}`,
              value: money(refunded, currency),
              strong: false,
            },
            { label: 'Paid after refunds', value: money(shown.total_cents - refunded, currency), strong: true },
          ]),
    ],
    notes: [],
    at: shown.paid_at,
  };
};

/** "invoice-ORD-1.pdf": plain letters, whatever the order number contains. */
export const fileNameOf = ({ kind, orderNumber }: Pick<Paper, 'kind' | 'orderNumber'>): string =>
  `${[kind, ...(orderNumber.match(/[A-Za-z0-9]+/g) ?? [])].join('-')}.pdf`;
