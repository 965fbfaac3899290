import { describe, expect, it } from '@jest/globals';
import { notOffered, offerOf, railOf } from './offer.js';

const on = { payments_open: true, invoice_rail: true };
const cards = { mostCents: null, leastCents: 1 };
const stripe = { mostCents: 99_999_999, leastCents: 50 };
const terms = [{ version: '2026-11-01', number: 1 }];

describe('how a brand can pay (docs/domain/orders.md#approve-checks, docs/domain/orders.md#payment-options)', () => {
  it.each([
    ['a sandbox offers checkout first', cards, on, terms, ['checkout', 'invoice'], 'checkout'],
    ['a live workspace without cards offers invoices', null, on, terms, ['invoice'], 'team_invoice'],
    ['the invoice switch is off', cards, { ...on, invoice_rail: false }, terms, ['checkout'], 'checkout'],
    ['no rail is configured', null, { ...on, invoice_rail: false }, terms, [], 'team_invoice'],
    ['payments are closed', cards, { ...on, payments_open: false }, terms, [], 'team_invoice'],
    ['no terms are published', cards, on, [], [], 'team_invoice'],
  ] as const)('%s', (_name, checkout, switches, published, rails, agentPayment) => {
    const offer = offerOf(checkout, switches, published, null);
    expect(offer.options.map((option) => option.rail)).toEqual(rails);
    expect(offer.agentPayment).toBe(agentPayment);
    expect(offer.open).toBe(rails.length > 0);
  });

  it('names each rail, and when its money arrives', () => {
    expect(offerOf(cards, on, terms, null).options).toEqual([
      { rail: 'checkout', label: 'Card checkout', clears: 'At once' },
      {
        rail: 'invoice',
        label: 'Invoice by bank transfer',
        clears: 'When the team marks it paid, usually 1 to 5 business days',
      },
    ]);
  });

  it('defaults to the rail of agent_payment', () => {
    expect(railOf(offerOf(cards, on, terms, 100), undefined)).toBe('checkout');
    expect(railOf(offerOf(null, on, terms, 100), undefined)).toBe('invoice');
    expect(railOf(offerOf(stripe, on, terms, 100_000_000), undefined)).toBe('invoice');
    expect(railOf(offerOf(cards, on, terms, 100), 'invoice')).toBe('invoice');
  });

  const off = { ...on, invoice_rail: false };
  const closed = { ...on, payments_open: false };
  it.each([
    ['the most that cards take', stripe, on, 99_999_999, ['checkout', 'invoice'], null],
    ['a cent more', stripe, on, 100_000_000, ['invoice'], 99_999_999],
    ['a cent more, without invoices', stripe, off, 100_000_000, [], 99_999_999],
    ['a cent more, while payments are closed', stripe, closed, 100_000_000, [], null],
    ['the least that cards take', stripe, on, 50, ['checkout', 'invoice'], null],
    ['a cent less', stripe, on, 49, ['invoice'], null],
    ['any total where cards have no end', cards, on, 100_000_000, ['checkout', 'invoice'], null],
    ['a total that is not known yet', stripe, on, null, ['checkout', 'invoice'], null],
  ] as const)('offers the rails that take the total: %s', (_name, checkout, switches, total, rails, end) => {
    const offer = offerOf(checkout, switches, terms, total);
    expect(offer.options.map((option) => option.rail)).toEqual(rails);
    expect(offer.cardsEndAt).toBe(end);
    expect(offer.open).toBe(rails.length > 0);
  });

  const more = 100_000_000;
  it.each([
    ['checkout', stripe, on, more, 'Card payments end at $999,999.99; pay by bank transfer.'],
    ['checkout', stripe, on, 49, 'Card payments begin at $0.50; pay by bank transfer.'],
    ['checkout', null, on, 100, 'Card payment is not offered at the moment; pay by bank transfer.'],
    ['invoice', cards, off, 100, 'Bank transfer is not offered at the moment; pay by card.'],
    [
      'invoice',
      stripe,
      off,
      more,
      'Card payments end at $999,999.99, and no other way to pay is offered: ask our team at team@example.com.',
    ],
    [
      'invoice',
      null,
      off,
      100,
      'Payments are closed at the moment. Try again later, or ask our team at team@example.com.',
    ],
  ] as const)('says what to do instead of %s', (rail, checkout, switches, total, words) => {
    expect(notOffered(offerOf(checkout, switches, terms, total), rail, { email: 'team@example.com' })).toBe(words);
  });
});
