import type { CreatorProposal, PayPage } from '@cds/contracts';
import { HOSTILE_TEXTS } from '@cds/service/testing';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { creatorModel } from '../creator/creator-model.js';
import type { Paper } from '../pay/document.js';
import { payModel } from '../pay/pay-model.js';
import { aCreatorProposal, aLinkToken } from '../testing/creator-proposal.js';
import { aPayPage, PAY_PAGES } from '../testing/pay-page.js';
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

const TOKEN = 'a'.repeat(43);

const commonFields = (word: string) => ({
  title: word,
  token: TOKEN,
  formToken: 'form',
  company: word,
  campaign: word,
  total: '$1.00',
  state: 'Paid',
  sandbox: true,
});

/** An order in one of its states, whose every text is this word. */
const orderOf = (word: string, state: string): PayPage => {
  const shown = aPayPage(PAY_PAGES[state]);
  const details = { legal_name: word, address: word, tax_id: word, purchase_order: word };
  return {
    ...shown,
    order_number: word,
    company: word,
    campaign: word,
    terms_version: word,
    seller: { name: word, address: [word, word], tax_id: word, email: word, bank: [word] },
    formats: [{ format: word, posts: 2 }],
    invoice: shown.invoice && { ...shown.invoice, details, number: word, withdrawn_reason: word },
  };
};

/** A proposal that its creator has accepted, whose every text is this word. */
const proposalOf = (word: string): CreatorProposal =>
  aCreatorProposal({
    state: 'accepted',
    may: ['date', 'withdraw'],
    company: word,
    product: word,
    deliverable: word,
    launch_post_url: null,
    pitch: word,
    dos: [word],
    donts: [word, word],
    guidelines: { pitch: word, key_messages: [word], references: [word], voice: word, dos: [word], donts: [word] },
  });

const paperOf = (word: string): Paper => ({
  kind: 'invoice',
  title: word,
  warning: word,
  orderNumber: word,
  parties: [{ heading: word, name: word, lines: [word, word] }],
  facts: [{ label: word, value: word }],
  items: [{ what: word, details: [word], amount: word }],
  totals: [{ label: word, value: word, strong: true }],
  notes: [{ heading: word, lines: [word] }],
  at: '2026-11-22T12:00:00.000Z',
});

/** Every page that shows foreign text. */
const PAGES_WITH_TEXT: Record<string, (word: string) => string> = {
  'pay by invoice': (word) =>
    body(
      page('pay', payModel(TOKEN, orderOf(word, 'invoice-withdrawn'), { name: word, own: false }, { notice: word })),
    ),
  'pay with bank details': (word) => body(page('pay', payModel(TOKEN, orderOf(word, 'invoice-sent'), null))),
  creator: (word) =>
    body(
      page(
        'creator',
        creatorModel(aLinkToken(), proposalOf(word), () => 'form', { typed: { reason: 'fit', note: word } }),
      ),
    ),
  document: (word) => body(page('pay-document', { title: word, token: TOKEN, file: '/', paper: paperOf(word) })),
  sandbox: (word) =>
    body(page('sandbox', { ...commonFields(word), buttons: [{ name: 'pay', label: 'Pay' }], closed: '' })),
  'closed sandbox': (word) => body(page('sandbox', { ...commonFields(word), buttons: [], closed: word })),
  terms: (word) =>
    body(page('terms', { title: word, version: word, number: 1, text: word, sha: 'x', published: '1 May 2027' })),
  error: (word) =>
    body(
      errorPage(
        { error: { code: 'conflict', message: word }, status: 409, headers: {} },
        { back: '/pay/x', requestId: 'req_1' },
      ),
    ),
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
