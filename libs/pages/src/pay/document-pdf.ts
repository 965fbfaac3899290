import type PDFDocument from 'pdfkit';
import type { Paper, Party } from './document.js';
import { type Drawable, drawable } from './drawable.js';
import { type FontName, openFont } from './pdf-fonts.js';

const MARGIN = 56;
const GAP = 24;
const PADDING = 4;
const AMOUNT_WIDTH = 120;
const SIZE = { title: 20, text: 10, small: 8.5 } as const;
const SOFT = '#565d6b';
const INK = '#15181e';
const LINE = '#868d9a';

/** Without ligatures, a name is found and copied letter by letter. The types know only lists. */
const FEATURES = { liga: false } as unknown as never[];

type Doc = InstanceType<typeof PDFDocument>;

type Cell = { text: string; x: number; width: number; font: FontName; color?: string; right?: boolean };

/** Draws top-down, and begins a new page where the next part has no room. */
class Drawing {
  readonly left = MARGIN;
  readonly width: number;

  constructor(
    private readonly doc: Doc,
    private readonly show: Drawable,
    /** The font that holds a whole text. */
    private readonly fontOf: (text: string, wanted: FontName) => FontName,
  ) {
    this.width = doc.page.width - 2 * MARGIN;
  }

  /** One text over the whole width, as an element of the document's outline. */
  text(tag: 'H1' | 'H2' | 'P', text: string, font: FontName, size: number, color = INK): void {
    this.doc.addStructure(
      this.doc.struct(tag, {}, () => {
        const shown = this.show.text(text);
        this.doc.font(this.fontOf(shown, font)).fontSize(size).fillColor(color);
        this.doc.text(shown, this.left, this.doc.y, { width: this.width, features: FEATURES });
      }),
    );
  }

  gap(points = GAP): void {
    this.doc.y += points;
  }

  /** A table whose rows never break over two pages, unless one is longer than a page. */
  table(rows: readonly (readonly Cell[])[], ruled: boolean): void {
    this.doc.addStructure(
      this.doc.struct(
        'Table',
        {},
        rows.map((cells) =>
          this.doc.struct(
            'TR',
            {},
            cells.map((cell, at) => this.doc.struct('TD', {}, () => this.cell(cells, cell, at, ruled))),
          ),
        ),
      ),
    );
  }

  private rowTop = 0;
  private rowEnd = 0;

  private cell(cells: readonly Cell[], { text, x, width, font, color, right }: Cell, at: number, ruled: boolean): void {
    const { doc } = this;
    if (at === 0) {
      this.room(Math.max(...cells.map((cell) => this.heightOf(cell))) + 2 * PADDING);
      if (ruled)
        doc
          .markContent('Artifact')
          .moveTo(this.left, doc.y)
          .lineTo(this.left + this.width, doc.y);
      if (ruled) doc.lineWidth(0.5).strokeColor(LINE).stroke().endMarkedContent();
      this.rowTop = doc.y + PADDING;
      this.rowEnd = this.rowTop;
    }
    const shown = this.show.text(text);
    doc
      .font(this.fontOf(shown, font))
      .fontSize(SIZE.text)
      .fillColor(color ?? INK);
    doc.text(shown, x, this.rowTop, {
      width,
      align: right === true ? 'right' : 'left',
      features: FEATURES,
    });
    this.rowEnd = Math.max(this.rowEnd, doc.y);
    if (at === cells.length - 1) doc.y = this.rowEnd + PADDING;
  }

  private heightOf({ text, width, font }: Cell): number {
    const shown = this.show.text(text);
    this.doc.font(this.fontOf(shown, font)).fontSize(SIZE.text);
    return this.doc.heightOfString(shown, { width, features: FEATURES });
  }

  /** Begins a new page unless this much is left of the current one. */
  room(points: number): void {
    const { page } = this.doc;
    if (this.doc.y + points > page.height - page.margins.bottom && this.doc.y > page.margins.top) this.doc.addPage();
  }
}

const drawParty = (drawing: Drawing, { heading, name, lines }: Party): void => {
  drawing.room(3 * GAP);
  drawing.text('H2', heading, 'plain', SIZE.small, SOFT);
  drawing.text('P', name, 'bold', SIZE.text);
  for (const line of lines) drawing.text('P', line, 'plain', SIZE.text);
  drawing.gap(GAP / 1.5);
};

const draw = (drawing: Drawing, paper: Paper): void => {
  const { left, width } = drawing;
  const amountX = left + width - AMOUNT_WIDTH;
  const wide = { x: left, width: width - AMOUNT_WIDTH - GAP, font: 'plain' } as const;
  const amount = { x: amountX, width: AMOUNT_WIDTH, right: true } as const;

  if (paper.warning !== null) {
    drawing.text('P', paper.warning, 'bold', SIZE.text, '#8a5a00');
    drawing.gap(GAP / 2);
  }
  drawing.text('H1', paper.title, 'bold', SIZE.title);
  drawing.gap();
  for (const party of paper.parties) drawParty(drawing, party);
  drawing.table(
    paper.facts.map(({ label, value }) => [
      { text: label, x: left, width: 90, font: 'plain', color: SOFT },
      { text: value, x: left + 100, width: width - 100, font: 'plain' },
    ]),
    false,
  );
  drawing.gap();
  drawing.table(
    paper.items.map((item) => [
      { ...wide, text: [item.what, ...item.details].join('\n') },
      { ...amount, font: 'plain', text: item.amount },
    ]),
    true,
  );
  drawing.gap(GAP / 2);
  drawing.table(
    paper.totals.map(({ label, value, strong }) => [
      { ...wide, text: label, font: strong ? 'bold' : 'plain' },
      { ...amount, text: value, font: strong ? 'bold' : 'plain' },
    ]),
    true,
  );
  for (const { heading, lines } of paper.notes) {
    drawing.gap();
    drawing.room(3 * GAP);
    drawing.text('H2', heading, 'bold', SIZE.text);
    for (const line of lines) drawing.text('P', line, 'plain', SIZE.text);
  }
};

/** A document as a PDF of A4 pages, tagged for screen readers. The same document is always the same bytes. */
export const documentPdf = async (paper: Paper): Promise<Buffer> => {
  const [{ default: Document }, plain, bold] = await Promise.all([
    import('pdfkit'),
    openFont('plain'),
    openFont('bold'),
  ]);
  const holds = (codePoint: number): boolean =>
    plain.hasGlyphForCodePoint(codePoint) && bold.hasGlyphForCodePoint(codePoint);
  const isHeld = (text: string): boolean =>
    Array.from(text).every((character) => /\s/.test(character) || holds(character.codePointAt(0) ?? 0));
  const other = isHeld(JSON.stringify(paper)) ? null : await openFont('other');
  const date = new Date(paper.at);
  const doc = new Document({
    size: 'A4',
    margin: MARGIN,
    lang: 'en',
    tagged: true,
    displayTitle: true,
    pdfVersion: '1.7',
    // The default is one of the reader's own fonts, whose data is not in a bundle. The types know only file names.
    font: plain as unknown as string,
    info: { Title: paper.title, CreationDate: date, ModDate: date },
  });
  const chunks: Buffer[] = [];
  doc.on('data', (chunk: Buffer) => chunks.push(chunk));
  const ended = new Promise<void>((resolve, reject) => doc.once('end', resolve).once('error', reject));
  for (const [name, font] of Object.entries({ plain, bold, ...(other !== null && { other }) }))
    doc.registerFont(name, font as unknown as string);

  const show = drawable((codePoint) => holds(codePoint) || other?.hasGlyphForCodePoint(codePoint) === true);
  const drawing = new Drawing(doc, show, (text, wanted) => (isHeld(text) ? wanted : 'other'));
  draw(drawing, paper);
  if (show.replaced()) {
    drawing.gap();
    drawing.text(
      'P',
      'This file cannot show every letter of a name. The page to print shows all of them.',
      'plain',
      SIZE.small,
      SOFT,
    );
  }
  doc.end();
  await ended;
  return Buffer.concat(chunks);
};
