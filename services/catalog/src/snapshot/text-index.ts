import { type Row, WORDS_END } from './rows.js';

/** The searched texts of all rows as one text, so that a search is one pass. */
export class TextIndex {
  private index: { text: string; starts: Uint32Array } | null = null;

  constructor(private readonly rows: readonly Row[]) {}

  rowsContaining(q: string): Uint8Array {
    this.index ??= this.build();
    const { text, starts } = this.index;
    const mask = new Uint8Array(this.rows.length);
    if (q.includes(WORDS_END)) return mask;
    let row = 0;
    for (let at = text.indexOf(q); at >= 0; at = text.indexOf(q, starts[row])) {
      while ((starts[row + 1] ?? text.length) <= at) row += 1;
      mask[row] = 1;
      row += 1;
      if (row >= this.rows.length) break;
    }
    return mask;
  }

  private build(): { text: string; starts: Uint32Array } {
    const starts = new Uint32Array(this.rows.length + 1);
    let end = 0;
    for (const [index, { words }] of this.rows.entries()) {
      starts[index] = end;
      end += words.length;
    }
    starts[this.rows.length] = end;
    return { text: this.rows.map(({ words }) => words).join(''), starts };
  }
}
