/** The X analytics CSV of one creator: the old export ("Tweet id") and the content export ("Post id"). */

import type { Refused } from '../import-checks.js';
import type { ImportedPost } from '../imported-creator.js';
import { BadField, instantIn } from './fields.js';

/** Splits CSV text that arrives in chunks into records. Handles quotes, line breaks inside them, CRLF and a BOM. */
export class CsvRecords {
  private record: string[] = [];
  private field = '';
  private quoted = false;
  private quoteBefore = false;
  private started = false;

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
    }
    if (character === '"' && this.field === '') this.quoted = true;
    else if (character === ',') {
      this.record.push(this.field);
      this.field = '';
    } else if (character === '\n') this.endRecord(records);
    else if (character !== '\r') this.field += character;
  }

  private endRecord(records: string[][]): void {
    this.record.push(this.field);
    this.field = '';
    this.quoted = false;
    this.quoteBefore = false;
    if (this.record.some((one) => one.trim() !== '')) records.push(this.record);
    this.record = [];
  }
}

type Column = 'id' | 'permalink' | 'text' | 'time' | 'views' | 'likes' | 'replies' | 'reposts' | 'bookmarks';
type Columns = Readonly<Partial<Record<Column, number>>>;

const NAMES: Readonly<Record<Column, readonly string[]>> = {
  id: ['tweet id', 'post id'],
  permalink: ['tweet permalink', 'post link', 'post permalink'],
  text: ['tweet text', 'post text'],
  time: ['time', 'date'],
  views: ['impressions'],
  likes: ['likes'],
  replies: ['replies'],
  reposts: ['retweets', 'reposts'],
  bookmarks: ['bookmarks'],
};

export const columnsOf = (header: readonly string[]): Columns | null => {
  const names = header.map((name) => name.trim().toLowerCase());
  const columns: Partial<Record<Column, number>> = {};
  for (const column of Object.keys(NAMES) as Column[]) {
    const at = names.findIndex((name) => NAMES[column].includes(name));
    if (at >= 0) columns[column] = at;
  }
  const whole = columns.id !== undefined && columns.time !== undefined && columns.views !== undefined;
  return whole && columns.text !== undefined ? columns : null;
};

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const OLD_TIME = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d(?::\d\d)?) ([+-]\d\d):?(\d\d)$/;
const NEW_DAY = /^[A-Za-z]{3}, ([A-Za-z]{3}) (\d{1,2}), (\d{4})$/;

/** A time of either export, or ISO 8601; null for anything else. A day alone is its start. */
export const timeIn = (text: string): Date | null => {
  const old = OLD_TIME.exec(text);
  if (old !== null) return instantIn(`${old[1]}T${old[2]}${old[3]}:${old[4]}`);
  const day = NEW_DAY.exec(text);
  if (day === null) return instantIn(text);
  const month = MONTHS.indexOf((day[1] ?? '').toLowerCase()) + 1;
  return month === 0
    ? null
    : instantIn(`${day[3]}-${String(month).padStart(2, '0')}-${(day[2] ?? '').padStart(2, '0')}`);
};

const numberIn = (text: string, field: string): number | null => {
  const plain = text.trim().replace(/(?<=\d),(?=\d{3}(?:\D|$))/g, '');
  if (plain === '' || plain === '-') return null;
  if (!/^\d{1,15}(?:\.0+)?$/.test(plain)) throw new BadField(field, 'must be a whole number of at least 0');
  return Number(plain);
};

const LINKED = /^(?:https?:\/\/)?(?:www\.|mobile\.)?(?:x|twitter)\.com\/(\w+)\/status\/\d+/i;

export class CsvPosts {
  readonly posts: ImportedPost[] = [];
  readonly refused: Refused[] = [];
  private readonly seen = new Set<string>();
  private row = 0;

  constructor(
    private readonly columns: Columns,
    private readonly handle: string,
    private readonly now: Date,
  ) {}

  /** Whether any row could be read, or there were none. A skipped reply counts as read. */
  get readable(): boolean {
    return this.row === 0 || this.refused.length < this.row;
  }

  take(record: readonly string[]): void {
    const row = this.row;
    this.row += 1;
    try {
      const post = this.read(record);
      if (post !== null) this.posts.push(post);
    } catch (error) {
      if (!(error instanceof BadField)) throw error;
      this.refused.push({ row, field: error.field, message: error.message });
    }
  }

  private read(record: readonly string[]): ImportedPost | null {
    const cell = (column: Column): string => record[this.columns[column] ?? -1]?.trim() ?? '';
    const id = cell('id');
    if (!/^\d+$/.test(id)) throw new BadField('id', 'must be digits');
    if (this.seen.has(id)) throw new BadField('id', 'must appear only once');
    const at = timeIn(cell('time'));
    if (at === null) throw new BadField('time', 'must be a date');
    if (at > this.now) throw new BadField('time', 'must not be in the future');
    const linked = LINKED.exec(cell('permalink'))?.[1];
    if (linked !== undefined && linked !== 'i' && linked.toLowerCase() !== this.handle.toLowerCase())
      throw new BadField('permalink', 'must be a post of this creator');
    const counts = {
      views: numberIn(cell('views'), 'impressions'),
      likes: numberIn(cell('likes'), 'likes'),
      replies: numberIn(cell('replies'), 'replies'),
      reposts: numberIn(cell('reposts'), 'reposts'),
      bookmarks: numberIn(cell('bookmarks'), 'bookmarks'),
    };
    this.seen.add(id);
    const text = cell('text');
    if (text.startsWith('@') || text.startsWith('RT @')) return null;
    return { id, created_at: at, kind: 'post', text, ...counts, quotes: null, paid_partnership: false };
  }
}
