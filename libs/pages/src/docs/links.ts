import { posix } from 'node:path';
import { Lexer, type Token } from 'marked';

const LINK = /\[((?:[^[\]\n]|\n(?!\s*\n))+)\]\(([^)\s]+)\)/g;
/** The anchor of a heading, as repositories and our pages make it. */
export const slugOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-');

/** Where a link leads on our pages: `path` and `anchor` of a file of the repository; null if it has no page. */
export type Published = (file: string, anchor: string) => string | null;

/** A file's text with links to our pages. A link to what has no page becomes its words; code stays as it is. */
export const publishLinks = (file: string, text: string, published: Published): string => {
  const rewritten = (prose: string): string =>
    prose.replaceAll(LINK, (whole, words: string, target: string) => {
      if (/^[a-z]+:/.test(target)) return whole;
      const [path = '', anchor = ''] = target.split('#');
      const to = path === '' ? file : posix.normalize(posix.join(posix.dirname(file), path));
      const href = published(to, anchor);
      return href === null ? words : `[${words}](${href})`;
    });
  return blocksOf(text)
    .map(({ type, raw }) => (type === 'code' ? raw : rewritten(raw)))
    .join('');
};

export const blocksOf = (markdown: string): Token[] => new Lexer().blockTokens(markdown, []);

export class Anchors {
  private readonly seen = new Map<string, number>();

  of(heading: string): string {
    const slug = slugOf(heading);
    const times = this.seen.get(slug) ?? 0;
    this.seen.set(slug, times + 1);
    return times === 0 ? slug : `${slug}-${times}`;
  }
}

export type Section = { level: number; heading: string; anchor: string; text: string };

export const sectionsOf = (markdown: string): Section[] => {
  const anchors = new Anchors();
  const sections: Section[] = [];
  for (const block of blocksOf(markdown)) {
    const last = sections.at(-1);
    if (block.type === 'heading')
      sections.push({ level: block['depth'], heading: block['text'], anchor: anchors.of(block['text']), text: '' });
    else if (last !== undefined) last.text += block.raw;
  }
  return sections.map((section) => ({ ...section, text: section.text.trim() }));
};
