import { inflateSync } from 'node:zlib';
import type { PayPage } from '@cds/contracts';
import { describe, expect, test } from '@jest/globals';
import { anInvoice, aPayPage, PAY_PAGES } from '../testing/pay-page.js';
import { fileNameOf, invoicePaper, receiptPaper } from './document.js';
import { documentPdf } from './document-pdf.js';
import { drawable } from './drawable.js';

const orderIn = (state: string, over: Partial<PayPage> = {}): PayPage => aPayPage({ ...PAY_PAGES[state], ...over });

describe('the invoice of an order', () => {
  test('names seller and buyer, what was bought, and where to send the money', () => {
    expect(invoicePaper(orderIn('invoice-sent'))).toMatchObject({
      title: 'Invoice 2026-0042',
      warning: null,
      parties: [
        {
          name: 'Creator Distribution Ltd',
          lines: ['1 Harbour Street', 'Dublin 2', 'Ireland', 'Tax id IE1234567X', 'billing@seller.example'],
        },
        {
          name: 'Acme Robotics GmbH',
          lines: ['Seestraße 1', '88662 Überlingen', 'Germany', 'Tax id DE123456789', 'Purchase order PO-7'],
        },
      ],
      facts: [
        { label: 'Invoice', value: '2026-0042' },
        { label: 'Order', value: 'CDS-0B6CBB3E' },
        { label: 'Date', value: '23 November 2026' },
        { label: 'Due', value: '5 December 2026' },
      ],
      totals: [{ label: 'Total', value: '$12,345.00', strong: true }],
      notes: [{ lines: expect.arrayContaining(['Reference: 2026-0042']) }],
    });
  });

  test('once it is paid, nothing is due and no bank is named', () => {
    const paper = invoicePaper(orderIn('paid-by-invoice'));
    expect(paper?.totals.at(-1)).toEqual({ label: 'Amount due', value: '$0.00', strong: true });
    expect(paper?.notes).toEqual([]);
  });

  test.each(['unpaid', 'invoice-wanted', 'invoice-requested', 'invoice-withdrawn', 'paid'])(
    'there is none when %s',
    (state) => {
      expect(invoicePaper(orderIn(state))).toBeNull();
    },
  );

  test('of a sandbox says that it is not a real one', () => {
    expect(invoicePaper(orderIn('invoice-sent', { sandbox: true }))?.warning).toContain('no real invoice');
  });
});

describe('the receipt of an order', () => {
  test('says when and how it was paid', () => {
    expect(receiptPaper(orderIn('paid'))).toMatchObject({
      parties: [{}, { name: 'Acme', lines: [] }],
      facts: [
        { value: 'CDS-0B6CBB3E' },
        { label: 'Paid', value: '24 November 2026' },
        { label: 'By', value: 'Card' },
        { value: 'Paid' },
      ],
      totals: [{ label: 'Paid', value: '$12,345.00', strong: true }],
    });
  });

  test('of an invoice is made out as that was', () => {
    expect(receiptPaper(orderIn('paid-by-invoice'))).toMatchObject({
      parties: [{}, { name: 'Acme Robotics GmbH' }],
      facts: [{}, { label: 'Invoice', value: '2026-0042' }, {}, { label: 'By', value: 'Bank transfer' }, {}],
    });
  });

  test('takes refunds off', () => {
    expect(receiptPaper(orderIn('partially-refunded'))?.totals).toEqual([
      { label: 'Paid', value: '$12,345.00', strong: false },
      { label: 'Refunded', value: '$500.00', strong: false },
      { label: 'Paid after refunds', value: '$11,845.00', strong: true },
    ]);
    expect(receiptPaper(orderIn('refunded'))?.totals.slice(1)).toEqual([
      { label: 'Refunded, newest on 1 December 2026', value: '$12,345.00', strong: false },
      { label: 'Paid after refunds', value: '$0.00', strong: true },
    ]);
  });

  test.each(['unpaid', 'processing', 'invoice-sent', 'cancelled-unpaid', 'cancelled-team'])(
    'there is none when %s',
    (state) => {
      expect(receiptPaper(orderIn(state))).toBeNull();
    },
  );
});

describe('the file of a document', () => {
  test.each([
    ['CDS-0B6CBB3E', 'invoice-CDS-0B6CBB3E.pdf'],
    ['7/8 "ü"\r\n', 'invoice-7-8.pdf'],
    ['№', 'invoice.pdf'],
  ])('of order %j is named %s', (orderNumber, name) => {
    expect(fileNameOf({ kind: 'invoice', orderNumber })).toBe(name);
  });

  const pdfOf = async (shown: PayPage): Promise<string> => {
    const paper = invoicePaper(shown);
    if (paper === null) throw new Error('there is no invoice');
    return (await documentPdf(paper)).toString('latin1');
  };
  const pagesOf = (pdf: string): number => Number(/\/Type \/Pages\n\/Count (\d+)/.exec(pdf)?.[1]);

  test('is one tagged page with its own fonts, and the same each time', async () => {
    const pdf = await pdfOf(orderIn('invoice-sent'));
    expect(pdf).toMatch(/^%PDF-1\.7/);
    expect(pagesOf(pdf)).toBe(1);
    expect(pdf).toContain('/Marked true');
    expect(pdf).toMatch(/\/FontName \/[A-Z]{6}\+DejaVuSans/);
    expect(pdf).not.toContain('Helvetica');
    expect(await pdfOf(orderIn('invoice-sent'))).toBe(pdf);
  });

  /** The streams of a file in plain text. */
  const streamsOf = (pdf: string): string =>
    [...pdf.matchAll(/FlateDecode\n>>\nstream\n(.*?)\nendstream/gs)]
      .map(([, bytes = '']) => inflateSync(Buffer.from(bytes, 'latin1')).toString('latin1'))
      .join('\n');

  test('gives back every letter that it shows, whatever files were made before it', async () => {
    const named = (legal_name: string) =>
      orderIn('invoice-sent', { invoice: anInvoice({ details: { ...anInvoice().details, legal_name } }) });
    await pdfOf(named('Ŵ'));
    const streams = streamsOf(await pdfOf(named('W Office')));
    expect(streams).toContain('beginbfrange');
    expect(streams).toContain('<0057>');
    expect(streams).not.toMatch(/<>|<fb01>|<00660066/);
  });

  /** What a reader copies out of a file, glyph by glyph. */
  const lettersOf = (streams: string): string =>
    [...streams.matchAll(/<([0-9a-f]{4,})>/g)]
      .map(([, hex = '']) => Buffer.from(hex, 'hex').swap16().toString('utf16le'))
      .join('');

  test.each([
    ['Chinese', '上海云图科技有限公司', 'UnifontExMono'],
    ['Japanese', '株式会社アクメ', 'UnifontExMono'],
    ['Korean', '주식회사 아크메', 'UnifontExMono'],
    ['Thai', 'บริษัท', 'UnifontExMono'],
    ['Hebrew', 'שלום בע״מ (Acme)', 'DejaVuSans-Bold'],
    ['Arabic', 'شركة أكمي', 'DejaVuSans-Bold'],
    ['Hebrew beside Chinese', 'שלום 上海', 'UnifontExMono'],
  ])('draws a name in %s with its letters', async (_script, legal_name, font) => {
    const details = { ...anInvoice().details, legal_name };
    const pdf = await pdfOf(orderIn('invoice-sent', { invoice: anInvoice({ details }) }));
    expect(pdf).toMatch(new RegExp(`/FontName /[A-Z]{6}\\+${font}`));
    const letters = lettersOf(streamsOf(pdf)).normalize('NFKC');
    for (const letter of legal_name.normalize('NFC').replace(/\s/g, '')) expect(letters).toContain(letter);
    expect(letters).not.toContain('□');
  });

  test('continues on further pages when an address is long', async () => {
    const details = { ...anInvoice().details, legal_name: 'x'.repeat(200), address: 'a\n'.repeat(250) };
    expect(pagesOf(await pdfOf(orderIn('invoice-sent', { invoice: anInvoice({ details }) })))).toBeGreaterThan(3);
  });
});

describe('a text in a file', () => {
  const latin = () => drawable((codePoint) => codePoint < 0x2000);

  test.each([
    ['letters that the font holds', 'Łódź, Şişli, é', 'Łódź, Şişli, é'],
    ['letters that are written in two parts', 'u\u0308', 'ü'],
    ['spaces of every kind', 'a\u00a0b\u3000c', 'a b c'],
    ['what cannot be seen', 'a\u200bb\u0007\u202ec\ufe0f', 'abc'],
  ])('%s', (_name, text, drawn) => {
    const show = latin();
    expect([show.text(text), show.replaced()]).toEqual([drawn, false]);
  });

  test.each([
    ['a letter that the font does not hold', '日x', '□x'],
    ['a picture', '😀', '□'],
    ['half a picture', '\ud83d', '□'],
  ])('%s is a box, which the document explains', (_name, text, drawn) => {
    const show = latin();
    expect([show.text(text), show.replaced()]).toEqual([drawn, true]);
  });
});
