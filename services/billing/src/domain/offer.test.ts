import { describe, expect, it } from '@jest/globals';
import { offerOf, railOf } from './offer.js';

const on = { payments_open: true, invoice_rail: true };
const terms = [{ version: '2026-11-01', number: 1 }];

describe('how a brand can pay (docs/domain/orders.md#approve-checks, docs/domain/orders.md#payment-options)', () => {
  it.each([
    ['a sandbox offers checkout first', true, on, terms, ['checkout', 'invoice'], 'checkout'],
    ['a live workspace offers invoices', false, on, terms, ['invoice'], 'team_invoice'],
    ['the invoice switch is off', true, { ...on, invoice_rail: false }, terms, ['checkout'], 'checkout'],
    ['no rail is configured', false, { ...on, invoice_rail: false }, terms, [], 'team_invoice'],
    ['payments are closed', true, { ...on, payments_open: false }, terms, [], 'team_invoice'],
    ['no terms are published', true, on, [], [], 'team_invoice'],
  ] as const)('%s', (_name, sandbox, switches, published, rails, agentPayment) => {
    const offer = offerOf(sandbox, switches, published);
    expect(offer.options.map((option) => option.rail)).toEqual(rails);
    expect(offer.agentPayment).toBe(agentPayment);
    expect(offer.open).toBe(rails.length > 0);
  });

  it('defaults to the rail of agent_payment', () => {
    expect(railOf(offerOf(true, on, terms), undefined)).toBe('checkout');
    expect(railOf(offerOf(false, on, terms), undefined)).toBe('invoice');
    expect(railOf(offerOf(true, on, terms), 'invoice')).toBe('invoice');
  });
});
