import type { Invoice, PayPage } from '@cds/contracts';

/** What billing answers about an unpaid order of a live workspace. */
export const aPayPage = (over: Partial<PayPage> = {}): PayPage => ({
  order_id: '0b6cbb3e-6f0a-4f5e-9d5e-6a1b7b1b7b1b',
  order_number: 'CDS-0B6CBB3E',
  workspace: '6d1f9c1e-3c57-4a6b-8f0e-9a1f0b2c3d4e',
  key_id: '2c9f2a70-1f5b-4e0e-9d8a-0a4b5c6d7e8f',
  sandbox: false,
  seller: {
    name: 'Creator Distribution Ltd',
    address: ['1 Harbour Street', 'Dublin 2', 'Ireland'],
    tax_id: 'IE1234567X',
    email: 'billing@seller.example',
    bank: ['Bank of the Harbour', 'IBAN IE29 AIBK 9311 5212 3456 78', 'BIC AIBKIE2D'],
  },
  company: 'Acme',
  campaign: 'Acme, launch, March 2027',
  posts: 12,
  formats: [
    { format: 'post', posts: 8 },
    { format: 'thread', posts: 3 },
    { format: null, posts: 1 },
  ],
  launch_window_start: '2027-03-01',
  launch_window_end: '2027-03-14',
  terms_version: '2026-11-01',
  total_cents: 1_234_500,
  refunded_cents: 0,
  currency: 'USD',
  payment_state: 'unpaid',
  signed_at: '2026-11-21T14:03:09.000Z',
  paid_at: null,
  refunded_at: null,
  cancelled_at: null,
  cancel_cause: null,
  rail: 'checkout',
  options: [
    { rail: 'checkout', label: 'Card checkout', clears: 'At once' },
    {
      rail: 'invoice',
      label: 'Invoice by bank transfer',
      clears: 'When the team marks it paid, usually 1 to 5 business days',
    },
  ],
  pay_by: '2026-12-05',
  expired: false,
  form_token: 'form-token',
  session: null,
  invoice: null,
  ...over,
});

/** The invoice of an order, which the team has sent. */
export const anInvoice = (over: Partial<Invoice> = {}): Invoice => ({
  state: 'sent',
  details: {
    legal_name: 'Acme Robotics GmbH',
    address: 'Seestraße 1\n88662 Überlingen\nGermany',
    tax_id: 'DE123456789',
    purchase_order: 'PO-7',
  },
  number: '2026-0042',
  due_on: '2026-12-05',
  sent_at: '2026-11-23T09:00:00.000Z',
  paid_at: null,
  withdrawn_reason: null,
  ...over,
});

const PAID: Partial<PayPage> = { payment_state: 'paid', options: [], paid_at: '2026-11-24T10:00:00.000Z' };

/** An order in every state that the pay page tells apart from the others by its words. */
export const PAY_PAGES: Readonly<Record<string, Partial<PayPage>>> = {
  unpaid: {},
  session: { session: { generation: 1, state: 'open' } },
  sandbox: { sandbox: true, session: { generation: 1, state: 'open' } },
  'invoice-wanted': { rail: 'invoice' },
  'invoice-requested': {
    rail: 'invoice',
    invoice: anInvoice({ state: 'requested', number: null, due_on: null, sent_at: null }),
  },
  'invoice-sent': { payment_state: 'processing', options: [], rail: 'invoice', invoice: anInvoice() },
  'invoice-withdrawn': {
    rail: 'invoice',
    invoice: anInvoice({ state: 'withdrawn', withdrawn_reason: 'The address was that of another company.' }),
  },
  processing: { payment_state: 'processing', options: [] },
  closed: { options: [] },
  'above-cards': {
    total_cents: 100_000_000,
    cards_end_at_cents: 99_999_999,
    options: aPayPage().options.filter(({ rail }) => rail === 'invoice'),
  },
  'above-cards-alone': { total_cents: 100_000_000, cards_end_at_cents: 99_999_999, options: [] },
  'below-cards': {
    total_cents: 49,
    cards_begin_at_cents: 50,
    options: aPayPage().options.filter(({ rail }) => rail === 'invoice'),
  },
  'below-cards-alone': { total_cents: 49, cards_begin_at_cents: 50, options: [] },
  expired: { expired: true },
  paid: PAID,
  'paid-by-invoice': {
    ...PAID,
    rail: 'invoice',
    invoice: anInvoice({ state: 'paid', paid_at: '2026-11-24T10:00:00.000Z' }),
  },
  'partially-refunded': {
    ...PAID,
    payment_state: 'partially_refunded',
    refunded_cents: 50_000,
  },
  refunded: {
    ...PAID,
    payment_state: 'refunded',
    refunded_cents: 1_234_500,
    refunded_at: '2026-12-01T10:00:00.000Z',
  },
  'cancelled-unpaid': {
    payment_state: 'cancelled',
    options: [],
    cancelled_at: '2026-12-06T00:00:00.000Z',
    cancel_cause: 'unpaid',
  },
  'cancelled-brand': {
    payment_state: 'cancelled',
    options: [],
    cancelled_at: '2026-11-25T00:00:00.000Z',
    cancel_cause: 'brand',
  },
  'cancelled-team': {
    payment_state: 'cancelled',
    options: [],
    cancelled_at: '2026-11-25T00:00:00.000Z',
    cancel_cause: 'team',
  },
  'cancelled-after-payment': {
    ...PAID,
    payment_state: 'cancelled',
    cancelled_at: '2026-11-25T00:00:00.000Z',
    cancel_cause: 'team',
    refunded_cents: 50_000,
  },
};
