/** CSV as people have it: spreadsheets' byte order marks, separators and thousands. Pure. */

/** Splits text that arrives in chunks into the records that are not empty (RFC 4180); quotes in a bare field stay. */
export class CsvRecords {
  private record: string[] = [];
  private field = '';
  private quoted = false;
  private quoteBefore = false;
  private started = false;
  private goesOn = false;

  push(chunk: string): string[][] {
    const text = this.started ? chunk : chunk.replace(/^\uFEFF/, '');
    if (chunk !== '') this.started = true;
    const records: string[][] = [];
    for (const character of text) this.take(character, records);
    return records;
  }

  end(): string[][] {
    const records: string[][] = [];
    if (this.field !== '' || this.record.length > 0) this.endRecord(records);
    return records;
  }

  /** Whether a field goes on after its quotes, or the text ends within them, so that a field may hold other records. */
  get unclosed(): boolean {
    return this.goesOn || (this.quoted && !this.quoteBefore);
  }

  private take(character: string, records: string[][]): void {
    if (this.quoted && !this.quoteBefore) {
      if (character === '"') this.quoteBefore = true;
      else this.field += character;
      return;
    }
    if (this.quoteBefore) {
      this.quoteBefore = false;
      if (character === '"') {
        this.field += '"';
        return;
      }
      this.quoted = false;
      this.goesOn ||= !/[,\s]/.test(character);
    }
    if (character === '"' && this.field === '') this.quoted = true;
    else if (character === ',') {
      this.record.push(this.field);
      this.field = '';
    } else if (character === '\n' || character === '\r') this.endRecord(records);
    else this.field += character;
  }

  private endRecord(records: string[][]): void {
    this.record.push(this.field);
    this.field = '';
    if (this.record.some((one) => one.trim() !== '')) records.push(this.record);
    this.record = [];
  }
}

/** The records of a whole text; null if its last quote is never closed. */
export const csvRecords = (text: string): string[][] | null => {
  const reader = new CsvRecords();
  const records = reader.push(text);
  if (reader.unclosed) return null;
  return [...records, ...reader.end()];
};

const SEPARATORS: Readonly<Record<string, string>> = { ';': 'semicolons', '\t': 'tabs', '|': 'vertical bars' };

/** Why a file is refused whose head, read by commas, shows that something else separates its fields; else null. */
export const otherSeparator = (header: readonly string[]): string | null => {
  const [, name] =
    Object.entries(SEPARATORS).find(([one]) => header.join(',').split(one).length > Math.max(header.length, 1)) ?? [];
  return name === undefined ? null : `is separated by ${name}. Save it with commas between its fields`;
};

/** The names of columns as they are compared. */
export const columnNames = (header: readonly string[]): string[] => header.map((name) => name.trim().toLowerCase());

/**
 * What the cells of a file prove of how it writes counts: the sign of its thousands, or of its decimals, or neither.
 */
export type CountStyle = ReadonlySet<string>;

const SIGNS = [',', '.'] as const;
type Sign = (typeof SIGNS)[number];
const THOUSANDS: Readonly<Record<Sign, RegExp>> = {
  ',': /^[1-9]\d{0,2}(?:,\d{3})+$/,
  '.': /^[1-9]\d{0,2}(?:\.\d{3})+$/,
};
const DECIMALS: Readonly<Record<Sign, RegExp>> = { ',': /^\d+,0+$/, '.': /^\d+\.0+$/ };
/** Spaces and apostrophes between digits are never decimal signs. */
const SPACES = /(?<=\d)[ \u00A0\u2009\u202F'\u2019](?=\d{3}(?:\D|$))/g;

const plain = (cell: string): string => cell.trim().replace(SPACES, '');
/** One, or one thousand. */
const isEither = (text: string, sign: Sign): boolean => THOUSANDS[sign].test(text) && DECIMALS[sign].test(text);

/** A figure is a whole number, so 1.200 and 1.000.000 prove thousands, and 4922.0 proves decimals. */
export const countStyle = (cells: Iterable<string>): CountStyle => {
  const style = new Set<string>();
  for (const text of [...cells].map(plain)) {
    if (/^\d{4,}$/.test(text)) style.add('no thousands');
    for (const sign of SIGNS) {
      if (isEither(text, sign)) continue;
      if (THOUSANDS[sign].test(text)) style.add(`thousands ${sign}`);
      if (DECIMALS[sign].test(text)) style.add(`decimals ${sign}`);
    }
  }
  return style;
};

const COUNT_MAX = 1_000_000_000_000;

/** A count, null for an empty cell, or what is wrong with it. What may be 1 or 1,000 needs the file's other cells. */
export const countIn = (cell: string, style: CountStyle): number | null | { wrong: string } => {
  const text = plain(cell);
  if (text === '' || text === '-') return null;
  const sign = SIGNS.find((one) => THOUSANDS[one].test(text));
  if (sign !== undefined && !areThousands(text, sign, style))
    return { wrong: `may mean ${text.split(sign)[0]} or thousands. Write counts without signs between their digits` };
  if (sign === undefined && !/^\d+(?:[.,]0+)?$/.test(text)) return { wrong: 'must be a whole number of at least 0' };
  const count = Number(sign === undefined ? text.replace(/[.,]0+$/, '') : text.replaceAll(sign, ''));
  return count <= COUNT_MAX ? count : { wrong: `must be at most ${COUNT_MAX.toLocaleString('en-US')}` };
};

const areThousands = (text: string, sign: Sign, style: CountStyle): boolean => {
  if (style.has(`decimals ${sign}`) || style.has(`thousands ${sign === ',' ? '.' : ','}`)) return false;
  if (!isEither(text, sign) || style.has(`thousands ${sign}`)) return true;
  // X itself writes commas; a point comes from a spreadsheet, which may have written decimals.
  return sign === ',' && !style.has('no thousands');
};
