import { HOSTILE_TEXTS } from '@cds/service/testing';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { errorPage } from './error-page.js';
import { page } from './page.js';

const WORD = 'WORD';
const escaped = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');

const commonFields = (word: string) => ({
  title: word,
  token: 'a'.repeat(43),
  formToken: 'form',
  company: word,
  campaign: word,
  posts: 1,
  total: '$1.00',
  state: 'Paid',
  sandbox: true,
});

/** Every page that shows foreign text. */
const PAGES_WITH_TEXT: Record<string, (word: string) => string> = {
  pay: (word) =>
    body(
      page('pay', {
        ...commonFields(word),
        heading: word,
        notice: word,
        payBy: '1 May 2027',
        canPay: true,
        payLabel: 'Pay',
        byInvoice: true,
        invoiceClears: word,
        otherRails: [{ rail: 'invoice', name: 'invoice' }],
      }),
    ),
  sandbox: (word) =>
    body(page('sandbox', { ...commonFields(word), buttons: [{ name: 'pay', label: 'Pay' }], closed: '' })),
  'closed sandbox': (word) => body(page('sandbox', { ...commonFields(word), buttons: [], closed: word })),
  terms: (word) =>
    body(page('terms', { title: word, version: word, number: 1, text: word, sha: 'x', published: '1 May 2027' })),
  error: (word) =>
    body(errorPage({ code: 'conflict', message: word }, 409, {}, { back: '/pay/x', requestId: 'req_1' })),
};
const body = (answer: ReturnType<typeof page>): string => String(answer.body);

describe('a page with foreign text in it', () => {
  test.each(Object.keys(PAGES_WITH_TEXT))('%s shows it literally: its own markup never changes', (name) => {
    const shown = PAGES_WITH_TEXT[name] ?? String;
    const plain = shown(WORD);
    expect(plain.split(WORD).length).toBeGreaterThan(1);
    const word = fc
      .array(fc.oneof(fc.constantFrom(...HOSTILE_TEXTS), fc.string({ unit: 'grapheme' })), {
        minLength: 1,
        maxLength: 4,
      })
      .map((parts) => parts.join(''))
      // A page leaves out empty values.
      .filter((text) => text !== '');
    fc.assert(
      fc.property(word, (text) => {
        expect(shown(text)).toBe(plain.replaceAll(WORD, () => escaped(text)));
      }),
      { examples: HOSTILE_TEXTS.map((text) => [text]) },
    );
  });
});
