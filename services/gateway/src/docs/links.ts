import { posix } from 'node:path';

/** A link; its words may go over the end of a line, but not of a paragraph. */
const LINK = /\[((?:[^[\]\n]|\n(?!\s*\n))+)\]\(([^)\s]+)\)/g;
const FENCE = /^```/;
/** A block of code, which ends with the text at the latest. */
const BLOCK = /^```[\s\S]*?(?:^```.*$|(?![\s\S]))/gm;

/** The anchor of a heading, as repositories and our pages make it. */
export const slugOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-');

/** Where a link leads on our pages: `path` and `anchor` of a file of the repository; null if it has no page. */
export type Published = (file: string, anchor: string) => string | null;

/**
 * The text of a file with its links as paths of this application. A link to what has no page becomes its words. Code is
 * left as it is.
 */
export const publishLinks = (file: string, text: string, published: Published): string => {
  const rewritten = (prose: string): string =>
    prose.replaceAll(LINK, (whole, words: string, target: string) => {
      if (/^[a-z]+:/.test(target)) return whole;
      const [path = '', anchor = ''] = target.split('#');
      const to = path === '' ? file : posix.normalize(posix.join(posix.dirname(file), path));
      const href = published(to, anchor);
      return href === null ? words : `[${words}](${href})`;
    });
  const blocks = text.match(BLOCK) ?? [];
  return text
    .split(BLOCK)
    .map((prose, at) => `${rewritten(prose)}${blocks[at] ?? ''}`)
    .join('');
};

/** One heading with the text below it, up to the next heading. */
export type Section = { level: number; heading: string; anchor: string; text: string };

/** The sections of a text by its headings; anchors that repeat are numbered. */
export const sectionsOf = (markdown: string): Section[] => {
  const sections: Section[] = [];
  const seen = new Map<string, number>();
  let inCode = false;
  for (const line of markdown.split('\n')) {
    if (FENCE.test(line)) inCode = !inCode;
    const [, marks = '', heading = ''] = inCode ? [] : (/^(#{1,4}) (.+)$/.exec(line) ?? []);
    if (heading === '') {
      const last = sections.at(-1);
      if (last !== undefined) last.text += `${line}\n`;
      continue;
    }
    const slug = slugOf(heading);
    const times = seen.get(slug) ?? 0;
    seen.set(slug, times + 1);
    sections.push({ level: marks.length, heading, anchor: times === 0 ? slug : `${slug}-${times}`, text: '' });
  }
  return sections;
};
