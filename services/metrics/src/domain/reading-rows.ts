// The rows of an import of readings, from JSON or CSV (docs/domain/operators.md#operators).
import { instantIn } from '@cds/contracts';
import { columnNames, csvRecords, otherSeparator } from '@cds/service/csv';
import { FIGURES, type Metrics } from './reading.js';
import { readPostUrl } from './submission.js';

export type RawRow = Readonly<Record<string, unknown>>;

export type ReadingRow = { of: { lineId: string } | { postId: string }; capturedAt: Date; metrics: Metrics };

const FIELDS: ReadonlySet<string> = new Set(['line_id', 'url', 'captured_at', ...FIGURES]);
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const FIGURE_MAX = 1_000_000_000_000;

/** Reads a row; a text says what is wrong with it. Empty fields count as left out. */
export const readRow = (raw: RawRow): ReadingRow | string => {
  const row = Object.fromEntries(Object.entries(raw).filter(([, value]) => value !== null && value !== ''));
  const unknown = Object.keys(row).find((name) => !FIELDS.has(name));
  if (unknown !== undefined) return `${unknown} is not accepted here; accepted: ${[...FIELDS].join(', ')}`;
  const of = whose(row);
  if (typeof of === 'string') return of;
  const capturedAt = instantIn(row['captured_at']);
  if (capturedAt === null) return 'captured_at must be an ISO 8601 date-time with an offset or Z';
  const metrics: Partial<Metrics> = {};
  for (const figure of FIGURES) {
    const value = row[figure] === undefined ? null : countOf(row[figure]);
    if (value === undefined) return `${figure} must be a whole number from 0 to ${FIGURE_MAX.toLocaleString('en-US')}`;
    metrics[figure] = value;
  }
  return { of, capturedAt, metrics: metrics as Metrics };
};

const countOf = (value: unknown): number | undefined => {
  const count = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value;
  return Number.isSafeInteger(count) && Number(count) >= 0 && Number(count) <= FIGURE_MAX ? Number(count) : undefined;
};

const whose = ({ line_id, url }: RawRow): ReadingRow['of'] | string => {
  if ((line_id === undefined) === (url === undefined)) return 'a row names either line_id or url';
  if (line_id !== undefined) {
    const lineId = String(line_id).toLowerCase();
    return UUID.test(lineId) ? { lineId } : 'line_id must be a UUID';
  }
  const post = readPostUrl(String(url));
  return post === null
    ? 'url must be the address of a post, as in https://x.com/{handle}/status/{digits}'
    : { postId: post.postId };
};

/** The first record names the fields; a text says why it is not CSV. A value beyond them is in a field of no row. */
export const csvRows = (text: string): RawRow[] | string => {
  const read = csvRecords(text);
  if (read === null) return 'has a quote that is never closed';
  const [head = [], ...records] = read;
  const names = columnNames(head);
  return (
    otherSeparator(head) ??
    records.map((record) =>
      Object.fromEntries(record.map((value, at) => [names[at] ?? `column ${at + 1}`, value.trim()])),
    )
  );
};
