import { cleanText, isVisible } from '@cds/contracts';
import { Parser } from 'htmlparser2';

export type Website = { name: string | null; summary: string | null; text: string };

/** In characters (docs/domain/plans.md#campaign-input). */
const NAME_MAX = 200;
const SUMMARY_MAX = 500;
const TEXT_MAX = 20_000;
const DEPTH_MAX = 500;
const PARAGRAPHS_MAX = 20;
const CHUNK = 8_192;

const INVISIBLE = new Set(['script', 'style', 'noscript', 'template', 'svg', 'iframe', 'object', 'head', 'title']);

const TITLE_PARTS = /\s+[-–—·•»|]\s+|\s*\|\s*|:\s+/u;

/** On one line, as other text from outside is written; nothing where nobody sees a character. */
const visible = (text: string): string => {
  const clean = cleanText(text.toWellFormed().replace(/\p{Cc}/gu, ' '))
    .replace(/\s+/gu, ' ')
    .trim();
  return isVisible(clean) ? clean : '';
};

/** In code points, with an ellipsis; at a word if one ends in the last third. */
const cut = (text: string, most: number): string => {
  const points = [...text];
  if (points.length <= most) return text;
  const head = points.slice(0, most - 1).join('');
  const word = head.lastIndexOf(' ');
  return `${(word > head.length * 0.66 ? head.slice(0, word) : head).trimEnd()}…`;
};

const given = (text: string | undefined, most: number): string | null => {
  const clean = visible(text ?? '');
  return clean === '' ? null : cut(clean, most);
};

class PageText {
  siteName: string | undefined;
  description: string | undefined;
  title: string | null = null;
  text = '';
  readonly paragraphs: string[] = [];
  private readonly open: string[] = [];
  private invisible = 0;
  private inTitle = false;

  get enough(): boolean {
    return this.text.length >= TEXT_MAX || this.open.length >= DEPTH_MAX;
  }

  onopentag(name: string, attributes: Record<string, string>): void {
    this.open.push(name);
    if (INVISIBLE.has(name)) this.invisible += 1;
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
    if (this.invisible > 0) return;
    this.text += data;
    const last = this.paragraphs.length - 1;
    if (this.open.includes('p')) this.paragraphs[last] = `${this.paragraphs[last] ?? ''}${data}`;
  }

  onclosetag(name: string): void {
    this.open.pop();
    // The page's own title is the first; inline SVG has titles too.
    if (name === 'title') this.inTitle = false;
    if (INVISIBLE.has(name)) this.invisible -= 1;
  }
}

/** The name is og:site_name, else the first part of the title (docs/domain/plans.md#company-context). */
export const readPage = (html: string): Website => {
  const page = new PageText();
  const parser = new Parser(page);
  // Parsed in chunks, so that reading can stop early: a hostile page nests without end.
  for (let at = 0; at < html.length && !page.enough; at += CHUNK) parser.write(html.slice(at, at + CHUNK));
  parser.end();

  const paragraph = page.paragraphs.map((one) => given(one, SUMMARY_MAX)).find((one) => one !== null);
  return {
    name: given(page.siteName, NAME_MAX) ?? given(visible(page.title ?? '').split(TITLE_PARTS)[0], NAME_MAX),
    summary: given(page.description, SUMMARY_MAX) ?? paragraph ?? null,
    text: visible(page.text).slice(0, TEXT_MAX),
  };
};

const HEAD_BYTES = 1_024;

export const decodePage = (body: Uint8Array, charset: string | null): string => {
  const head = Buffer.from(body.subarray(0, HEAD_BYTES)).toString('latin1');
  const named = charset ?? /<meta[^>]+charset=["']?\s*([\w-]{2,40})/i.exec(head)?.[1] ?? 'utf-8';
  try {
    return new TextDecoder(named).decode(body);
  } catch {
    return new TextDecoder().decode(body);
  }
};
