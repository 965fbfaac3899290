import { CliError } from './failures.js';
import { clean } from './output.js';
import type { World } from './world.js';

const TIMEOUT_MS = 10_000;
const MOST_BYTES = 512 * 1_024;
const LONGEST = 1_500;

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };

const decoded = (text: string): string =>
  clean(
    text.replace(/&(#x[0-9a-f]{1,6}|#\d{1,7}|\w{2,6});/gi, (all, name: string) => {
      if (!name.startsWith('#')) return ENTITIES[name.toLowerCase()] ?? all;
      const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
      return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : ' ';
    }),
  );

const attributeOf = (tag: string, name: string): string | undefined => {
  const found = new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`, 'i').exec(tag);
  return found?.[1] ?? found?.[2];
};

/** What a page's head says the product is: its title and description. Null if it says nothing. */
export const productIn = (html: string): { name: string; description: string } | null => {
  const metas = new Map<string, string>();
  for (const [tag] of html.matchAll(/<meta\s[^>]*>/gi)) {
    const name = (attributeOf(tag, 'property') ?? attributeOf(tag, 'name'))?.toLowerCase();
    const content = attributeOf(tag, 'content');
    if (name !== undefined && content !== undefined && !metas.has(name)) metas.set(name, decoded(content));
  }
  const name = metas.get('og:title') || decoded(/<title[^>]*>([^<]*)<\/title>/i.exec(html)?.[1] ?? '');
  const description = metas.get('description') || metas.get('og:description') || '';
  return name === '' && description === ''
    ? null
    : { name: name.slice(0, LONGEST), description: description.slice(0, LONGEST) };
};

const firstBytes = async (response: Response): Promise<string> => {
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk as Uint8Array, { stream: true });
    bytes += (chunk as Uint8Array).length;
    if (bytes >= MOST_BYTES) break;
  }
  return text;
};

export const readProduct = async (world: World, address: string) => {
  const url = URL.canParse(address) ? new URL(address) : null;
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new CliError(
      `${address} is no web address.`,
      'Give one that begins with https://, or describe it: --product',
    );
  const response = await world
    .fetch(url, {
      headers: { accept: 'text/html', 'user-agent': 'cds-cli' },
      signal: AbortSignal.any([world.signal, AbortSignal.timeout(TIMEOUT_MS)]),
    })
    .catch(() => null);
  const product = response?.ok ? productIn(await firstBytes(response)) : null;
  if (product === null)
    throw new CliError(`${url.href} could not be read.`, 'Describe the product instead: --product "Orbit, an AI pair"');
  return product;
};
