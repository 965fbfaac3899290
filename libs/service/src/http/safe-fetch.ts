import { lookup } from 'node:dns/promises';
import { request } from 'node:https';
import { isIP } from 'node:net';
import { isPublicAddress } from './public-address.js';

/** How far one outward request may go (reliability 3.19). */
export const SAFE_FETCH = { ms: 5_000, bytes: 1_000_000, redirects: 3 } as const;

/** Headers of a request by their lower-case names. */
type SentHeaders = Readonly<Record<string, string>>;

/** What was fetched, from which address in the end; `charset` is what the server named, in lower case. */
export type Fetched = { url: string; contentType: string; charset: string | null; body: Buffer };

/** One answer of a server, its body not read yet. */
export type Answered = { status: number; headers: Record<string, string | undefined>; body: AsyncIterable<Buffer> };

/** The world of an outward request; tests hand in their own. */
export type Outside = {
  /** Every address of a name. */
  resolve: (host: string) => Promise<string[]>;
  /** Asks the server at exactly this address, speaking to it by the url's name. */
  connect: (url: URL, address: string, signal: AbortSignal, headers: SentHeaders) => Promise<Answered>;
};

/** Why an outward request was not made, or its answer not taken; the text is for logs, never for an answer. */
export class UnsafeFetch extends Error {
  constructor(readonly why: string) {
    super(`the address was not fetched: ${why}`);
    this.name = 'UnsafeFetch';
  }
}

const NAME = /^(?=.{1,253}$)(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/;
/** Names that resolve inside a machine, a network or a cluster. */
const INNER = /\.(?:localhost|localdomain|local|internal|intranet|lan|home|corp|arpa|test|invalid|example|onion|svc)$/;

/** The address as it may be asked for: https, the usual port, a name, nobody's credentials. Raises UnsafeFetch. */
export const safeUrl = (text: string): URL => {
  if (text.length > 2_048) throw new UnsafeFetch('it is too long');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a parser drops these, so that two readers see two addresses.
  if (/[\u0000-\u0020\u007F\\]/.test(text)) throw new UnsafeFetch('it holds white space or a backslash');
  if (!/^https:\/\/[^/?#]/i.test(text)) throw new UnsafeFetch('it is no https address');
  if (!URL.canParse(text)) throw new UnsafeFetch('it is no address');
  const url = new URL(text);
  if (url.protocol !== 'https:') throw new UnsafeFetch('it is no https address');
  if (url.username !== '' || url.password !== '' || /^https:\/\/[^/?#]*@/i.test(text))
    throw new UnsafeFetch('it carries credentials');
  if (url.port !== '') throw new UnsafeFetch('it names a port');
  const host = url.hostname.toLowerCase();
  if (host.startsWith('[') || isIP(host) !== 0) throw new UnsafeFetch('it names an address instead of a host');
  if (!NAME.test(host) || INNER.test(host)) throw new UnsafeFetch('its host is no public name');
  return url;
};

const withoutCharset = (contentType: string | undefined): string =>
  (contentType ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';

const charsetOf = (contentType: string | undefined): string | null =>
  /;\s*charset="?([\w.:-]{1,40})/i.exec(contentType ?? '')?.[1]?.toLowerCase() ?? null;

const bodyOf = async (answered: Answered): Promise<Buffer> => {
  if (Number(answered.headers['content-length'] ?? 0) > SAFE_FETCH.bytes)
    throw new UnsafeFetch('the answer is too large');
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of answered.body) {
    size += chunk.length;
    if (size > SAFE_FETCH.bytes) throw new UnsafeFetch('the answer is too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
};

/** One address of a host, after every one of them was found public. */
const addressOf = async (host: string, outside: Outside): Promise<string> => {
  const addresses = await outside.resolve(host);
  const [first] = addresses;
  if (first === undefined) throw new UnsafeFetch('its host has no address');
  if (!addresses.every(isPublicAddress)) throw new UnsafeFetch('its host leads to an address that is not public');
  return first;
};

/**
 * Fetches a public https address for the system: every address of its host is checked and the checked one is connected
 * to, again for each of at most three redirects; 5 s, 1 MB, only the content types asked for, no cookies. `headers`, such
 * as a token, go to the host that was named and to no other. Raises UnsafeFetch. Source: reliability 3.19.
 */
export const safeFetch = async (
  address: string,
  types: readonly string[],
  outside: Outside = theInternet,
  headers: SentHeaders = {},
): Promise<Fetched> => {
  const signal = AbortSignal.timeout(SAFE_FETCH.ms);
  const over = new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(new UnsafeFetch('it took too long')), { once: true });
  });
  return Promise.race([follow(address, types, outside, { signal, headers }), over]);
};

const follow = async (
  address: string,
  types: readonly string[],
  outside: Outside,
  { signal, headers }: { signal: AbortSignal; headers: SentHeaders },
): Promise<Fetched> => {
  const { host } = safeUrl(address);
  let next = address;
  for (let redirects = 0; redirects <= SAFE_FETCH.redirects; redirects += 1) {
    const url = safeUrl(next);
    const own = url.host === host ? headers : {};
    const answered = await outside.connect(url, await addressOf(url.hostname, outside), signal, own);
    const { location } = answered.headers;
    if (answered.status >= 300 && answered.status < 400 && location !== undefined) {
      if (!URL.canParse(location, url.href)) throw new UnsafeFetch('it leads to no address');
      next = /^[a-z][a-z0-9+.-]*:/i.test(location) ? location : new URL(location, url.href).href;
      continue;
    }
    if (answered.status !== 200) throw new UnsafeFetch(`it was answered ${answered.status}`);
    const contentType = withoutCharset(answered.headers['content-type']);
    if (!types.includes(contentType)) throw new UnsafeFetch('the answer is of another content type');
    const charset = charsetOf(answered.headers['content-type']);
    return { url: url.href, contentType, charset, body: await bodyOf(answered) };
  }
  throw new UnsafeFetch('it leads on too often');
};

/** The real world: the system's resolver, and a connection to the address that was checked. */
const theInternet: Outside = {
  resolve: async (host) => (await lookup(host, { all: true, verbatim: true })).map(({ address }) => address),
  connect: (url, address, signal, own) =>
    new Promise((resolve, reject) => {
      const family = isIP(address);
      const sent = request(
        url,
        {
          signal,
          agent: false,
          lookup: (_host, options, done) =>
            options.all === true ? done(null, [{ address, family }]) : done(null, address, family),
          headers: { accept: '*/*', 'accept-encoding': 'identity', 'user-agent': 'creator-distribution', ...own },
        },
        (response) => {
          const headers = Object.fromEntries(
            Object.entries(response.headers).map(([name, value]) => [name, Array.isArray(value) ? value[0] : value]),
          );
          resolve({ status: response.statusCode ?? 0, headers, body: response });
        },
      );
      sent.once('error', reject);
      sent.end();
    }),
};
