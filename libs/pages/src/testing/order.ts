import type { BrandOrder } from '@cds/contracts';

const LINE_IDS = [
  '11111111-1111-4111-8111-111111111111',
  '22222222-2222-4222-8222-222222222222',
  '33333333-3333-4333-8333-333333333333',
] as const;

/** What billing answers about an order of three lines, which waits for its payment. */
export const anOrder = (over: Partial<BrandOrder> = {}): BrandOrder => ({
  id: '0b6cbb3e-6f0a-4f5e-9d5e-6a1b7b1b7b1b',
  order_number: 'CDS-1B7B1B7B1B',
  plan_id: '7f3c2b1a-5d4e-4c3b-9a2b-1c0d9e8f7a6b',
  campaign_id: '5a4b3c2d-1e0f-4a9b-8c7d-6e5f4a3b2c1d',
  campaign: 'Acme, launch, March 2027',
  payment_state: 'unpaid',
  total_cents: 120_000,
  currency: 'USD',
  signed_at: '2026-11-21T14:03:09.000Z',
  paid_at: null,
  refunded_at: null,
  cancelled_at: null,
  payment: {
    rail: 'checkout',
    label: 'Card checkout',
    clears: 'At once',
    url: `http://app.test/pay/${'a'.repeat(43)}`,
    expires_at: '2026-12-05T14:03:09.000Z',
  },
  receipt_url: null,
  receipt_id: '8d1c6d64-2f5b-8a3e-9b7c-4d5e6f7a8b9c',
  received_cents: 0,
  refunds: [],
  credits: [],
  committed_cents: 0,
  unused_cents: 0,
  stray_cents: 0,
  lines: LINE_IDS.map((line_id, at) => ({
    line_id,
    number: at + 1,
    price_cents: 40_000,
    committed_cents: 0,
    money: 'awaiting_payment',
  })),
  ...over,
});

const lines = (money: readonly BrandOrder['lines'][number]['money'][]): BrandOrder['lines'] =>
  anOrder().lines.map((line, at) => ({
    ...line,
    money: money[at] ?? 'committed',
    committed_cents: money[at] === 'committed' ? line.price_cents : 0,
  }));

/** The same order after it was paid, one line credited and one refunded. */
export const aRefundedOrder = (over: Partial<BrandOrder> = {}): BrandOrder =>
  anOrder({
    payment_state: 'partially_refunded',
    payment: null,
    receipt_url: `http://app.test/pay/${'a'.repeat(43)}/receipt`,
    paid_at: '2026-11-22T10:00:00.000Z',
    received_cents: 120_000,
    committed_cents: 40_000,
    unused_cents: 40_000,
    lines: lines(['committed', 'credited', 'refunded']),
    refunds: [
      {
        id: '44444444-4444-4444-8444-444444444444',
        amount_cents: 40_000,
        line_id: LINE_IDS[2],
        at: '2026-12-01T10:00:00.000Z',
      },
    ],
    credits: [
      {
        id: '55555555-5555-4555-8555-555555555555',
        line_id: LINE_IDS[1],
        cause: 'cancelled',
        amount_cents: 40_000,
        state: 'due',
      },
      {
        id: '66666666-6666-4666-8666-666666666666',
        line_id: LINE_IDS[2],
        cause: 'remedy',
        amount_cents: 40_000,
        state: 'refunded',
      },
    ],
    ...over,
  });

/** The same order after the team returned the whole payment at once. */
export const aWhollyRefundedOrder = (): BrandOrder =>
  aRefundedOrder({
    payment_state: 'refunded',
    refunded_at: '2026-12-01T10:00:00.000Z',
    committed_cents: 0,
    unused_cents: 0,
    lines: lines(['refunded', 'refunded', 'refunded']),
    refunds: [
      {
        id: '44444444-4444-4444-8444-444444444444',
        amount_cents: 120_000,
        line_id: null,
        at: '2026-12-01T10:00:00.000Z',
      },
    ],
    credits: [],
  });
