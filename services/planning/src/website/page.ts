import { Parser } from 'htmlparser2';

/** What a page says about its company: texts without mark-up or unseen characters, null where it says nothing. */
export type Website = { name: string | null; summary: string | null; text: string };

/** Lengths in characters: a company's name (domain 2-plans 1), a summary (2), and the part of a page that is resolved. */
const NAME_MAX = 200;
const SUMMARY_MAX = 500;
const TEXT_MAX = 20_000;
/** How deep a page may nest, how many of its paragraphs are looked at, and how much is parsed at a time. */
const DEPTH_MAX = 500;
const PARAGRAPHS_MAX = 20;
const PIECE = 8_192;

/** Elements whose text nobody reads on the page. */
const UNREAD = new Set(['script', 'style', 'noscript', 'template', 'svg', 'iframe', 'object', 'head', 'title']);

/** What stands between a page's own title and the name of its site. */
const TITLE_PARTS = /\s+[-–—·•»|]\s+|\s*\|\s*|:\s+/u;

/** Control characters become spaces; marks that turn, hide or join text go. */
const seen = (text: string): string =>
  text
    .toWellFormed()
    .replace(/\p{Cc}/gu, ' ')
    .replace(/\p{Cf}/gu, '')
    .replace(/\s+/gu, ' ')
    .trim();

/** At most so many code points, cut at a word where one ends in the last third, with an ellipsis. */
const cut = (text: string, most: number): string => {
  const points = [...text];
  if (points.length <= most) return text;
  const head = points.slice(0, most - 1).join('');
  const word = head.lastIndexOf(' ');
  return `${(word > head.length * 0.66 ? head.slice(0, word) : head).trimEnd()}…`;
};

const given = (text: string | undefined, most: number): string | null => {
  const clean = seen(text ?? '');
  return clean === '' ? null : cut(clean, most);
};

/** What a reader gathers on its way down a page. */
class Gathered {
  siteName: string | undefined;
  description: string | undefined;
  title: string | null = null;
  text = '';
  readonly paragraphs: string[] = [];
  private readonly open: string[] = [];
  private unread = 0;
  private inTitle = false;

  get enough(): boolean {
    return this.text.length >= TEXT_MAX || this.open.length >= DEPTH_MAX;
  }

  onopentag(name: string, attributes: Record<string, string>): void {
    this.open.push(name);
    if (UNREAD.has(name)) this.unread += 1;
    this.text += ' ';
    if (name === 'title' && this.title === null) {
      this.title = '';
      this.inTitle = true;
    }
    if (name === 'p' && this.paragraphs.length < PARAGRAPHS_MAX) this.paragraphs.push('');
    if (name !== 'meta') return;
    const { property, name: key, content } = attributes;
    if (property?.toLowerCase() === 'og:site_name') this.siteName ??= content;
    if (key?.toLowerCase() === 'description') this.description ??= content;
  }

  ontext(data: string): void {
    if (this.inTitle) this.title = `${this.title ?? ''}${data}`;
    if (this.unread > 0) return;
    this.text += data;
    const last = this.paragraphs.length - 1;
    if (this.open.includes('p')) this.paragraphs[last] = `${this.paragraphs[last] ?? ''}${data}`;
  }

  onclosetag(name: string): void {
    this.open.pop();
    // The page's own title is the first; pictures drawn in line have titles too.
    if (name === 'title') this.inTitle = false;
    if (UNREAD.has(name)) this.unread -= 1;
  }
}

/**
 * Reads a page: its name is og:site_name, else the first part of the title; its summary the meta description, else the
 * first paragraph. Source: domain 2-plans 2.
 */
export const readPage = (html: string): Website => {
  const page = new Gathered();
  const parser = new Parser(page);
  // Piece by piece, since what is found decides whether the rest is read: a hostile page nests without end.
  for (let at = 0; at < html.length && !page.enough; at += PIECE) parser.write(html.slice(at, at + PIECE));
  parser.end();

  const paragraph = page.paragraphs.map((one) => given(one, SUMMARY_MAX)).find((one) => one !== null);
  return {
    name: given(page.siteName, NAME_MAX) ?? given(seen(page.title ?? '').split(TITLE_PARTS)[0], NAME_MAX),
    summary: given(page.description, SUMMARY_MAX) ?? paragraph ?? null,
    text: seen(page.text).slice(0, TEXT_MAX),
  };
};

const HEAD_BYTES = 1_024;

/** A page's text by the encoding that its server names, else that the page itself names, else UTF-8. */
export const decodePage = (body: Uint8Array, charset: string | null): string => {
  const head = Buffer.from(body.subarray(0, HEAD_BYTES)).toString('latin1');
  const named = charset ?? /<meta[^>]+charset=["']?\s*([\w-]{2,40})/i.exec(head)?.[1] ?? 'utf-8';
  try {
    return new TextDecoder(named).decode(body);
  } catch {
    return new TextDecoder().decode(body);
  }
};
