import type { BrandOrder } from '@cds/contracts';
import { creditsDueOf, refundedOf } from './orders-model.js';

/** What a spreadsheet would run as a formula, also in full-width forms or after spaces; an apostrophe makes it text. */
const FORMULA = /^[\s\p{Cf}]*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20\uFE62\uFE66\uFE63\uFE6B\u2212]|^[\t\r\n]/u;
/** The same after a semicolon or tab, where a spreadsheet of many countries begins a cell. */
const INNER_FORMULA = /([;\t])(?=[\s\p{Cf}]*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20\uFE62\uFE66\uFE63\uFE6B\u2212])/gu;

export const cell = (text: string): string => {
  const safe = (FORMULA.test(text) ? `'${text}` : text).replace(INNER_FORMULA, "$1'");
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};

const line = (cells: readonly string[]): string => `${cells.map(cell).join(',')}\r\n`;

/** Cents as "12345.00", which every spreadsheet reads as a number. */
const amount = (cents: number): string => (cents / 100).toFixed(2);

const COLUMNS: readonly [name: string, of: (order: BrandOrder) => string][] = [
  ['order_number', ({ order_number }) => order_number],
  ['order_id', ({ id }) => id],
  ['campaign', ({ campaign }) => campaign],
  ['campaign_id', ({ campaign_id }) => campaign_id],
  ['plan_id', ({ plan_id }) => plan_id],
  ['payment_state', ({ payment_state }) => payment_state],
  ['signed_at', ({ signed_at }) => signed_at],
  ['paid_at', ({ paid_at }) => paid_at ?? ''],
  ['refunded_at', ({ refunded_at }) => refunded_at ?? ''],
  ['cancelled_at', ({ cancelled_at }) => cancelled_at ?? ''],
  ['posts', ({ lines }) => String(lines.length)],
  ['currency', ({ currency }) => currency],
  ['total', ({ total_cents }) => amount(total_cents)],
  ['received', ({ received_cents }) => amount(received_cents)],
  ['committed', ({ committed_cents }) => amount(committed_cents)],
  ['refunded', (order) => amount(refundedOf(order))],
  ['credits_due', (order) => amount(creditsDueOf(order))],
  ['stray', ({ stray_cents }) => amount(stray_cents)],
  ['receipt_url', ({ receipt_url }) => receipt_url ?? ''],
];

/** Without the byte order mark a spreadsheet reads the file in the alphabet of its country. */
export const CSV_HEAD = `\uFEFF${line(COLUMNS.map(([name]) => name))}`;

export const csvRows = (orders: readonly BrandOrder[]): string =>
  orders.map((order) => line(COLUMNS.map(([, of]) => of(order)))).join('');
