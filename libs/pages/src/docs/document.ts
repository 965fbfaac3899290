/** The parts of the documents, in reading order: the segment of their paths, their title and what they hold. */
export const AREAS = {
  guides: { title: 'Guides', about: 'How to do one thing, from the first request to the last.' },
  rules: { title: 'Rules', about: 'What holds in each case, in full.' },
  reference: { title: 'Reference', about: 'Every operation with its fields, limits and errors.' },
  resources: { title: 'Resources', about: 'The objects that answers hold, field by field.' },
  errors: { title: 'Errors', about: 'Every error code and reason: what happened, and what to do next.' },
} as const;
export type Area = keyof typeof AREAS;
export const AREA_NAMES = Object.keys(AREAS) as Area[];

/** One document. Its page, its Markdown form and its entry in the search are made of the same text. */
export type Document = {
  /** Where its page is, without an ending, such as `/docs/guides/first-plan`. */
  path: string;
  /** Null for what belongs to no area: the index and the glossary. */
  area: Area | null;
  title: string;
  /** What it answers, in a sentence of plain text. */
  summary: string;
  /** The whole text, from its title on. Its links are paths of this application. */
  markdown: string;
};

export const DOCS_ROOT = '/docs/';

/** Where the Markdown form of a document is: its path with `.md`, that of a folder as llms.txt asks for it. */
export const markdownPath = ({ path }: Pick<Document, 'path'>): string =>
  path.endsWith('/') ? `${path}index.html.md` : `${path}.md`;

/** A cell of a Markdown table: one line, in which no bar ends it. */
const cell = (text: string): string =>
  text
    .replaceAll(/\s*\n\s*/g, ' ')
    .replaceAll('|', '\\|')
    .trim();

export const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  rows.length === 0
    ? ''
    : [head, head.map(() => '---'), ...rows].map((row) => `| ${row.map(cell).join(' | ')} |`).join('\n');

export const blocks = (...parts: readonly (string | false)[]): string =>
  `${parts.filter((part) => part !== false && part !== '').join('\n\n')}\n`;
