import type { World } from './world.js';

/** Colours of a terminal; plain text anywhere else, and with NO_COLOR. */
export type Paint = (style: 'bold' | 'dim' | 'red' | 'green' | 'yellow', text: string) => string;

const CODES = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33 } as const;

export const paintFor = ({ config, terminal }: World, stream: 'out' | 'err'): Paint =>
  terminal[stream] && !config.noColor
    ? (style, text) => `\u001b[${CODES[style]}m${text}\u001b[0m`
    : (_style, text) => text;

/** Texts of others, such as names, without characters that a terminal acts on or that turn its direction. */
export const clean = (text: string): string => text.replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ').trim();

export const money = (cents: number | null | undefined): string => {
  if (cents === null || cents === undefined) return '';
  const digits = cents % 100 === 0 ? 0 : 2;
  return `$${(cents / 100).toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits })}`;
};

export const count = (value: number | null | undefined): string =>
  value === null || value === undefined ? '' : value.toLocaleString('en-US');

export const plural = (value: number, word: string): string => `${count(value)} ${word}${value === 1 ? '' : 's'}`;

/** A column: its heading, and `right` for numbers. The `wide` one gives way when a terminal is too narrow. */
export type Column = { title: string; align?: 'right'; wide?: true };
export type Cell = string | number | null | undefined;

const widthOf = (text: string): number => [...text].length;

const cut = (text: string, width: number): string =>
  widthOf(text) <= width ? text : `${[...text].slice(0, Math.max(1, width - 1)).join('')}…`;

const GAP = '  ';
const NARROWEST = 8;

/** Rows under their headings. On a terminal the wide column is cut so that a row stays on one line. */
export const table = (columns: readonly Column[], rows: readonly (readonly Cell[])[], world: World): string => {
  const paint = paintFor(world, 'out');
  const texts = rows.map((row) => row.map((cell) => (typeof cell === 'number' ? count(cell) : clean(cell ?? ''))));
  const widths = columns.map(({ title }, index) =>
    Math.max(widthOf(title), ...texts.map((row) => widthOf(row[index] ?? ''))),
  );
  const wide = columns.findIndex((column) => column.wide);
  const total = widths.reduce((sum, width) => sum + width, GAP.length * (columns.length - 1));
  if (world.terminal.out && wide >= 0 && total > world.terminal.columns)
    widths[wide] = Math.max(NARROWEST, (widths[wide] ?? 0) - (total - world.terminal.columns));
  const line = (cells: readonly string[]): string =>
    columns
      .map(({ align }, index) => {
        const width = widths[index] ?? 0;
        const text = cut(cells[index] ?? '', width);
        const space = ' '.repeat(width - widthOf(text));
        return align === 'right' ? `${space}${text}` : `${text}${space}`;
      })
      .join(GAP)
      .trimEnd();
  return `${[paint('bold', line(columns.map(({ title }) => title))), ...texts.map(line)].join('\n')}\n`;
};

/** Facts, one on each line, their names aligned; those without a value are left out. */
export const facts = (rows: readonly (readonly [name: string, value: Cell])[]): string => {
  const shown = rows.filter(([, value]) => value !== null && value !== undefined && value !== '');
  const width = Math.max(0, ...shown.map(([name]) => name.length));
  return shown
    .map(([name, value]) => `${name.padEnd(width)}  ${typeof value === 'number' ? count(value) : clean(value ?? '')}\n`)
    .join('');
};
