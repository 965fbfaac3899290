import { describe, expect, test } from '@jest/globals';
import { anInvoice, aPayPage, PAY_PAGES } from '../testing/pay-page.js';
import { situationName, situationOf } from './situation.js';

const WITHDRAWN = anInvoice({ state: 'withdrawn' });
const CARD = { rail: 'checkout' as const, label: 'Card checkout', clears: 'At once' };
/** As its rail leaves it when the payer chooses the card instead. */
const GIVEN_UP = anInvoice({ state: 'withdrawn', number: null, due_on: null, sent_at: null });

describe('the state of an order on its page (docs/domain/orders.md#payment-states)', () => {
  test.each([
    ['an order that can be paid by card is open', {}, 'open'],
    ['an open session is a started card payment', { session: { generation: 1, state: 'open' } }, 'session'],
    ['by invoice, details are wanted first', { rail: 'invoice' as const }, 'invoice_wanted'],
    ['unless invoices are not offered any more', { rail: 'invoice' as const, options: [CARD] }, 'open'],
    [
      'a request that was made before still counts',
      { rail: 'invoice' as const, options: [CARD], invoice: anInvoice({ state: 'requested' }) },
      'invoice_requested',
    ],
    [
      'a request for an invoice does not count once the card was chosen again',
      { invoice: anInvoice({ state: 'requested' }) },
      'open',
    ],
    ['a withdrawn invoice is said, whatever rail is chosen', { invoice: WITHDRAWN }, 'invoice_withdrawn'],
    ['one that the payer gave up before it was sent is not', { invoice: GIVEN_UP }, 'open'],
    ['and is asked for again', { invoice: GIVEN_UP, rail: 'invoice' as const }, 'invoice_wanted'],
    ['without ways to pay, payments are closed', { options: [] }, 'closed'],
    ['a passed day to pay comes before closed payments', { options: [], expired: true }, 'expired'],
    ['a passed day to pay comes before a withdrawn invoice', { invoice: WITHDRAWN, expired: true }, 'expired'],
    ['a sent invoice waits for its transfer', { payment_state: 'processing', invoice: anInvoice() }, 'invoice_sent'],
    ['a card payment on its way is processing', { payment_state: 'processing' }, 'processing'],
    ['a state that is not known yet can not be paid', { payment_state: 'frozen' }, 'closed'],
  ])('%s', (_name, over, situation) => {
    expect(situationName(aPayPage(over))).toBe(situation);
  });

  test.each([
    ['unpaid', 'Please pay by 5 December 2026', 'cancelled at no cost'],
    ['session', 'A card payment was started', 'never charged twice'],
    ['invoice-wanted', 'Please pay by 5 December 2026', 'whom the invoice is made out to'],
    ['invoice-requested', 'We are making out your invoice', 'will send the invoice'],
    ['invoice-sent', 'Invoice 2026-0042 is due on 5 December 2026', 'Please transfer $12,345.00'],
    ['invoice-withdrawn', 'Invoice 2026-0042 was withdrawn', 'The address was that of another company.'],
    ['processing', 'Your payment is on its way', 'nothing more to do'],
    ['closed', 'Payments are closed at the moment', 'until 5 December 2026'],
    [
      'above-cards-alone',
      'This order is too large for a card',
      'Card payments end at $999,999.99, and bank transfer is not offered at the moment. Write to billing@seller.example',
    ],
    ['expired', 'The time to pay is over', 'It ended on 5 December 2026.'],
    ['paid', 'Paid on 24 November 2026', 'nothing more is due'],
    [
      'partially-refunded',
      '$500.00 of your payment went back',
      'You paid $12,345.00 on 24 November 2026. After what went back, $11,845.00 of it is left.',
    ],
    ['refunded', 'Refunded on 1 December 2026', 'all of it went back the way it came'],
    ['cancelled-unpaid', 'This order was cancelled because it was not paid in time', '5 December 2026'],
    ['cancelled-brand', 'Your company cancelled this order', 'on 25 November 2026, before any payment'],
    ['cancelled-team', 'Our team cancelled this order', 'on 25 November 2026, before any payment'],
    ['cancelled-after-payment', 'This order was cancelled after it was paid', '$500.00 went back so far'],
  ])('%s says what happened and what comes next', (state, title, words) => {
    const situation = situationOf(aPayPage(PAY_PAGES[state]));
    expect(situation.title).toBe(title);
    expect(situation.texts.join(' ')).toContain(words);
  });

  test.each([
    ['team', 'Our team cancelled it on 25 November 2026.'],
    ['refunded', 'It was refunded, and your bank sent money of that back to us on 25 November 2026.'],
    [null, 'The last of its posts was cancelled on 25 November 2026.'],
  ] as const)('an order that was cancelled after payment says by what: %s', (cancel_cause, words) => {
    const situation = situationOf(aPayPage({ ...PAY_PAGES['cancelled-after-payment'], cancel_cause }));
    expect(situation.texts[0]).toContain(words);
  });

  test('an order that was cancelled after payment and not refunded yet says so', () => {
    const situation = situationOf(aPayPage({ ...PAY_PAGES['cancelled-after-payment'], refunded_cents: 0 }));
    expect(situation.texts[0]).toContain('No refund was made yet');
  });

  test('an invoice without a number or a day is still named', () => {
    const invoice = anInvoice({ number: null, due_on: null });
    expect(situationOf(aPayPage({ payment_state: 'processing', invoice })).title).toBe('The invoice is due');
  });
});
