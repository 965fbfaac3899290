import { INVOICE_DETAIL_MAX, type Invoice } from '@cds/contracts';
import type { Form } from '../foundation/form.js';
import { errorAt, type FieldNames, type Shown } from '../foundation/problems.js';

export type InvoiceTyped = Record<keyof typeof INVOICE_DETAIL_MAX, string>;

const FIELDS = [
  {
    name: 'legal_name',
    label: 'Legal name',
    autocomplete: 'organization',
    help: 'The company or person that pays, as it is registered.',
    required: true,
  },
  {
    name: 'address',
    label: 'Address',
    autocomplete: 'street-address',
    help: `As it should stand on the invoice, at most ${INVOICE_DETAIL_MAX.address} characters.`,
    rows: 4,
    required: true,
  },
  { name: 'tax_id', label: 'Tax id', autocomplete: 'off', help: 'If you have one, such as a VAT number.' },
  {
    name: 'purchase_order',
    label: 'Purchase order',
    autocomplete: 'off',
    help: 'If your accounting needs a number of yours on the invoice.',
  },
] as const;

export const INVOICE_FIELDS: FieldNames = Object.fromEntries(
  FIELDS.map(({ name, label }) => [name, { field: name, label }]),
);

export const invoiceTyped = (form: Pick<Form, 'one'>): InvoiceTyped => ({
  legal_name: form.one('legal_name').trim(),
  // A browser sends line breaks as CRLF.
  address: form.one('address').replaceAll('\r\n', '\n').trim(),
  tax_id: form.one('tax_id').trim(),
  purchase_order: form.one('purchase_order').trim(),
});

/** What the form holds when nobody has typed: the details of the invoice before, or nothing. */
export const typedBefore = (invoice: Invoice | null): InvoiceTyped =>
  invoice?.details ?? { legal_name: '', address: '', tax_id: '', purchase_order: '' };

export const invoiceForm = (typed: InvoiceTyped, { problems }: Shown, correcting: boolean) => ({
  fields: FIELDS.map((field) => ({ ...field, value: typed[field.name], error: errorAt(problems, field.name) })),
  submit: correcting ? 'Correct the details' : 'Ask for the invoice',
});
