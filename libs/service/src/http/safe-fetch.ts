import { request } from 'node:https';
import { isIP } from 'node:net';
import { isPublicAddress } from './public-address.js';
import { addressesOf } from './resolver.js';

/** Limits of one outbound request (docs/reliability.md#outward-requests). */
export const SAFE_FETCH = { ms: 5_000, bytes: 1_000_000, redirects: 3 } as const;

type SentHeaders = Readonly<Record<string, string>>;

/** What was fetched, and from which final address. `charset` is as the server named it, in lower case. */
export type Fetched = { url: string; contentType: string; charset: string | null; body: Buffer };

export type Answered = { status: number; headers: Record<string, string | undefined>; body: AsyncIterable<Buffer> };

/** Name resolution and connections; tests pass their own. */
export type Outside = {
  /** Every address of a name. Ends with the signal. */
  resolve: (host: string, signal: AbortSignal) => Promise<string[]>;
  /** Connects to exactly this address, using the URL's host name for TLS and Host. */
  connect: (url: URL, address: string, signal: AbortSignal, headers: SentHeaders) => Promise<Answered>;
};

/** Why an outbound request was not made or its response was rejected. The text is for logs, never for an answer. */
export class UnsafeFetch extends Error {
  constructor(readonly why: string) {
    super(`the URL was not fetched: ${why}`);
    this.name = 'UnsafeFetch';
  }
}

const NAME = /^(?=.{1,253}$)(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/;
/** Host names that are internal to a machine, a local network or a cluster. */
const INTERNAL =
  /\.(?:localhost|localdomain|local|internal|intranet|lan|home|corp|arpa|test|invalid|example|onion|svc)$/;

/** Parses a URL that may be fetched: https, default port, a public host name, no credentials. Throws UnsafeFetch. */
export const safeUrl = (text: string): URL => {
  if (text.length > 2_048) throw new UnsafeFetch('it is too long');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: parsers drop these, so two could see different URLs.
  if (/[\u0000-\u0020\u007F\\]/.test(text)) throw new UnsafeFetch('it contains white space or a backslash');
  if (!/^https:\/\/[^/?#]/i.test(text)) throw new UnsafeFetch('it is not an https URL');
  if (!URL.canParse(text)) throw new UnsafeFetch('it is not a valid URL');
  const url = new URL(text);
  if (url.protocol !== 'https:') throw new UnsafeFetch('it is not an https URL');
  if (url.username !== '' || url.password !== '' || /^https:\/\/[^/?#]*@/i.test(text))
    throw new UnsafeFetch('it contains credentials');
  if (url.port !== '') throw new UnsafeFetch('it names a port');
  const host = url.hostname.toLowerCase();
  if (host.startsWith('[') || isIP(host) !== 0) throw new UnsafeFetch('it names an IP address instead of a host');
  if (!NAME.test(host) || INTERNAL.test(host)) throw new UnsafeFetch('its host is not a public name');
  return url;
};

const withoutCharset = (contentType: string | undefined): string =>
  (contentType ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';

const charsetOf = (contentType: string | undefined): string | null =>
  /;\s*charset="?([\w.:-]{1,40})/i.exec(contentType ?? '')?.[1]?.toLowerCase() ?? null;

const bodyOf = async (answered: Answered): Promise<Buffer> => {
  if (Number(answered.headers['content-length'] ?? 0) > SAFE_FETCH.bytes)
    throw new UnsafeFetch('the response is too large');
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of answered.body) {
    size += chunk.length;
    if (size > SAFE_FETCH.bytes) throw new UnsafeFetch('the response is too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
};

/** One address of a host, once all of them are known to be public. */
const addressOf = async (host: string, outside: Outside, signal: AbortSignal): Promise<string> => {
  const addresses = await outside.resolve(host, signal);
  const [first] = addresses;
  if (first === undefined) throw new UnsafeFetch('its host has no address');
  if (!addresses.every(isPublicAddress)) throw new UnsafeFetch('its host resolves to an address that is not public');
  return first;
};

/**
 * Checks every address of the host, again for each of three redirects at most (docs/reliability.md#outward-requests): 5
 * s, 1 MB, the given types, no cookies. `headers` go only to the host in `address`. Throws UnsafeFetch.
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
    const answered = await outside.connect(url, await addressOf(url.hostname, outside, signal), signal, own);
    const { location } = answered.headers;
    if (answered.status >= 300 && answered.status < 400 && location !== undefined) {
      if (!URL.canParse(location, url.href)) throw new UnsafeFetch('it redirects to an invalid URL');
      next = /^[a-z][a-z0-9+.-]*:/i.test(location) ? location : new URL(location, url.href).href;
      continue;
    }
    if (answered.status !== 200) throw new UnsafeFetch(`the server responded ${answered.status}`);
    const contentType = withoutCharset(answered.headers['content-type']);
    if (!types.includes(contentType)) throw new UnsafeFetch('the response has another content type');
    const charset = charsetOf(answered.headers['content-type']);
    return { url: url.href, contentType, charset, body: await bodyOf(answered) };
  }
  throw new UnsafeFetch('it redirects too often');
};

const theInternet: Outside = {
  resolve: addressesOf,
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
