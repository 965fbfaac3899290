import type { PayPage } from '@cds/contracts';
import { describe, expect, test } from '@jest/globals';
import { anInvoice, aPayPage, PAY_PAGES } from '../testing/pay-page.js';
import { invoiceTyped, typedBefore } from './invoice-form.js';
import { formatWords, launchWindow, payModel, signerWords } from './pay-model.js';

const TOKEN = 'a'.repeat(43);
const modelOf = (over: Partial<PayPage> = {}) => payModel(TOKEN, aPayPage(over), null);

describe('the words of the pay page', () => {
  test.each([
    ['a key by its name', { name: 'Launch agent', own: false }, 'the API key “Launch agent”'],
    ['a person behind the own agent key', { name: 'app', own: true }, 'a person who signed in'],
    ['a key that is not known here', null, 'an API key'],
  ])('who signed: %s', (_name, signer, words) => {
    expect(signerWords(signer)).toBe(words);
  });

  test.each([
    [{ format: 'post', posts: 1 }, '1 single post'],
    [{ format: 'quote', posts: 2 }, '2 quote posts'],
    [{ format: 'thread', posts: 1_200 }, '1,200 threads'],
    [{ format: 'newsletter', posts: 2 }, '2 newsletter'],
    [{ format: null, posts: 1 }, '1 other post'],
  ])('%j is %s', (format, words) => {
    expect(formatWords(format)).toBe(words);
  });

  test('a launch of one day names it once', () => {
    expect(launchWindow(aPayPage())).toBe('1 March 2027 to 14 March 2027');
    expect(launchWindow(aPayPage({ launch_window_end: '2027-03-01' }))).toBe('1 March 2027');
  });
});

describe('the ways to pay', () => {
  test('the chosen one comes first, and says how it clears', () => {
    expect(modelOf().methods).toMatchObject([
      { rail: 'checkout', title: 'Pay by card', label: 'Pay by card', clears: 'Clears at once.', chosen: true },
      { rail: 'invoice', title: 'Pay by bank transfer', chosen: false },
    ]);
    expect(modelOf({ rail: 'invoice' }).methods.map(({ rail }) => rail)).toEqual(['invoice', 'checkout']);
  });

  test('an open session is continued', () => {
    expect(modelOf(PAY_PAGES['session']).methods.map(({ label }) => label)).toEqual([
      'Continue to the card payment',
      'Pay by bank transfer',
    ]);
  });

  test.each([
    'invoice-sent',
    'processing',
    'closed',
    'above-cards-alone',
    'below-cards-alone',
    'expired',
    'paid',
    'partially-refunded',
    'refunded',
    'cancelled-unpaid',
    'cancelled-brand',
    'cancelled-team',
    'cancelled-after-payment',
  ])('there is none when %s', (state) => {
    expect(modelOf(PAY_PAGES[state]).methods).toEqual([]);
  });
});

describe('the documents of an order', () => {
  test.each([
    ['unpaid', null, null],
    ['invoice-requested', null, null],
    ['invoice-withdrawn', null, null],
    ['invoice-sent', `/pay/${TOKEN}/invoice`, null],
    ['paid', null, `/pay/${TOKEN}/receipt`],
    ['paid-by-invoice', `/pay/${TOKEN}/invoice`, `/pay/${TOKEN}/receipt`],
    ['partially-refunded', null, `/pay/${TOKEN}/receipt`],
    ['refunded', null, `/pay/${TOKEN}/receipt`],
    ['cancelled-team', null, null],
    ['cancelled-after-payment', null, `/pay/${TOKEN}/receipt`],
  ])('%s', (state, invoice, receipt) => {
    expect(modelOf(PAY_PAGES[state]).documents).toEqual({ invoice, receipt });
  });

  test('bank details are shown while an invoice waits for its transfer, and at no other time', () => {
    for (const [state, over] of Object.entries(PAY_PAGES))
      expect([state, modelOf(over).bank !== null]).toEqual([state, state === 'invoice-sent']);
  });
});

describe('the details of an invoice', () => {
  test('are read without the spaces around them, and with line breaks of one kind', () => {
    const typed = { legal_name: ' Acme ', address: 'a\r\nb \r\n' };
    const one = (name: string): string => ({ ...typed })[name as keyof typeof typed] ?? '';
    expect(invoiceTyped({ one })).toEqual({ legal_name: 'Acme', address: 'a\nb', tax_id: '', purchase_order: '' });
  });

  test('begin with those of the invoice before', () => {
    expect(typedBefore(anInvoice())).toEqual(anInvoice().details);
    expect(modelOf(PAY_PAGES['invoice-requested']).form).toMatchObject({
      submit: 'Correct the details',
      fields: [{ name: 'legal_name', value: 'Acme Robotics GmbH' }, {}, {}, {}],
    });
    expect(modelOf(PAY_PAGES['invoice-wanted']).form.submit).toBe('Ask for the invoice');
  });
});
