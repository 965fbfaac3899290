/** The X analytics CSV of one creator: the old export ("Tweet id") and the content export ("Post id"). */
import { type CountStyle, columnNames, countIn, countStyle } from '@cds/service/csv';
import type { Refused } from '../import-checks.js';
import type { ImportedPost } from '../imported-creator.js';
import { BadField, dayOrInstantIn } from './fields.js';

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
  const names = columnNames(header);
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
  if (old !== null) return dayOrInstantIn(`${old[1]}T${old[2]}${old[3]}:${old[4]}`);
  const day = NEW_DAY.exec(text);
  if (day === null) return dayOrInstantIn(text);
  const month = MONTHS.indexOf((day[1] ?? '').toLowerCase()) + 1;
  return month === 0
    ? null
    : dayOrInstantIn(`${day[3]}-${String(month).padStart(2, '0')}-${(day[2] ?? '').padStart(2, '0')}`);
};

const COUNTS = ['views', 'likes', 'replies', 'reposts', 'bookmarks'] as const satisfies readonly Column[];

const LINKED = /^(?:https?:\/\/)?(?:www\.|mobile\.)?(?:x|twitter)\.com\/(\w+)\/status\/\d+/i;

export type CsvRead = {
  posts: ImportedPost[];
  refused: Refused[];
  /** Whether any row could be read, or there were none. A repost counts as read. */
  readable: boolean;
};

/** The posts of the records below the head. The export does not say which posts are replies. */
export const readPosts = (
  columns: Columns,
  records: readonly (readonly string[])[],
  creator: { handle: string; now: Date },
): CsvRead => {
  const cell = (record: readonly string[], column: Column): string => record[columns[column] ?? -1]?.trim() ?? '';
  const style = countStyle(records.flatMap((record) => COUNTS.map((column) => cell(record, column))));
  const seen = new Set<string>();
  const posts: ImportedPost[] = [];
  const refused: Refused[] = [];
  for (const [row, record] of records.entries()) {
    try {
      const post = readPost((column) => cell(record, column), style, seen, creator);
      if (!post.text.startsWith('RT @')) posts.push(post);
    } catch (error) {
      if (!(error instanceof BadField)) throw error;
      refused.push({ row, field: error.field, message: error.message });
    }
  }
  return { posts, refused, readable: records.length === 0 || refused.length < records.length };
};

const readPost = (
  cell: (column: Column) => string,
  style: CountStyle,
  seen: Set<string>,
  { handle, now }: { handle: string; now: Date },
): ImportedPost => {
  const id = cell('id');
  if (!/^\d+$/.test(id)) throw new BadField('id', 'must be digits');
  if (seen.has(id)) throw new BadField('id', 'must appear only once');
  const at = timeIn(cell('time'));
  if (at === null) throw new BadField('time', 'must be a date');
  if (at > now) throw new BadField('time', 'must not be in the future');
  const linked = LINKED.exec(cell('permalink'))?.[1];
  if (linked !== undefined && linked !== 'i' && linked.toLowerCase() !== handle.toLowerCase())
    throw new BadField('permalink', 'must be a post of this creator');
  const count = (column: (typeof COUNTS)[number]): number | null => {
    const read = countIn(cell(column), style);
    if (typeof read !== 'object' || read === null) return read;
    throw new BadField(column === 'views' ? 'impressions' : column, read.wrong);
  };
  const counts = {
    views: count('views'),
    likes: count('likes'),
    replies: count('replies'),
    reposts: count('reposts'),
    bookmarks: count('bookmarks'),
  };
  seen.add(id);
  return { id, created_at: at, kind: 'post', text: cell('text'), ...counts, quotes: null, paid_partnership: false };
};
