import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP } from 'node:net';
import { isPublicAddress } from './public-address.js';
import { addressesOf } from './resolver.js';
import { safeUrl, UnsafeFetch } from './safe-fetch.js';

/** Limits of one outbound POST, the last two of the answer's body (docs/reliability.md#outward-requests). */
export const SAFE_POST = { ms: 8_000, answerBytes: 16_384, answerMs: 1_000 } as const;

export type Post = {
  body: string;
  /** By lower-case name; `content-length` is added. */
  headers: Readonly<Record<string, string>>;
  /** Lets the URL name this machine, by http and with any port: for development only. */
  loopback?: boolean;
};

/** `not_allowed`: no request goes there. `unreachable`: no name, connection, TLS handshake or HTTP answer. */
export type Posted = { status: number } | { problem: 'not_allowed' | 'timeout' | 'unreachable' };

/** What a POST needs of the world outside; tests pass their own. */
export type PostOutside = {
  resolve: (host: string, signal: AbortSignal) => Promise<string[]>;
  /** Sends to exactly this address, with the URL's host name for TLS and Host, and answers the status. */
  send: (url: URL, address: string, post: Post, signal: AbortSignal) => Promise<number>;
};

const LOOPBACK_HOST = /^(?:localhost|127\.0\.0\.1|\[::1\])$/;

/** A URL that names this machine; null for every other. */
const loopbackUrl = (text: string): URL | null => {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: parsers drop these, so two could see different URLs.
  if (text.length > 2_048 || /[\u0000-\u0020\u007F\\]/.test(text) || !URL.canParse(text)) return null;
  const url = new URL(text);
  const known = LOOPBACK_HOST.test(url.hostname) && ['http:', 'https:'].includes(url.protocol);
  return known && url.username === '' && url.password === '' ? url : null;
};

/** Where a POST may go; throws UnsafeFetch for any other URL. Source: docs/reliability.md#outward-requests. */
export const postUrl = (text: string, loopback = false): URL => (loopback ? loopbackUrl(text) : null) ?? safeUrl(text);

/** The address to connect to: loopback itself, or one of a host whose addresses are all public. Throws UnsafeFetch. */
const addressOf = async (url: URL, outside: PostOutside, signal: AbortSignal): Promise<string> => {
  if (LOOPBACK_HOST.test(url.hostname)) return url.hostname === '[::1]' ? '::1' : '127.0.0.1';
  const addresses = await outside.resolve(url.hostname, signal);
  const [first] = addresses;
  if (first === undefined) throw new Error('its host has no address');
  if (!addresses.every(isPublicAddress)) throw new UnsafeFetch('its host resolves to an address that is not public');
  return first;
};

/**
 * Posts to a URL that somebody else chose, at a checked address, without redirects
 * (docs/reliability.md#outward-requests). The status decides; what follows the headers is read up to a bound. Never
 * throws.
 */
export const safePost = async (
  address: string,
  post: Post,
  outside: PostOutside = thePostOutside,
  ms: number = SAFE_POST.ms,
): Promise<Posted> => {
  const over = new AbortController();
  const timer = setTimeout(() => over.abort(), ms);
  const ended = new Promise<Posted>((resolve) => {
    over.signal.addEventListener('abort', () => resolve({ problem: 'timeout' }), { once: true });
  });
  try {
    return await Promise.race([sent(address, post, outside, over.signal), ended]);
  } finally {
    clearTimeout(timer);
    // Closes what is still open, such as a body that was not read to its end.
    over.abort();
  }
};

const sent = async (text: string, post: Post, outside: PostOutside, signal: AbortSignal): Promise<Posted> => {
  try {
    const url = postUrl(text, post.loopback);
    const address = await addressOf(url, outside, signal);
    return { status: await outside.send(url, address, post, signal) };
  } catch (error) {
    return { problem: error instanceof UnsafeFetch ? 'not_allowed' : 'unreachable' };
  }
};

export const thePostOutside: PostOutside = {
  resolve: addressesOf,
  send: (url, address, post, signal) =>
    new Promise((resolve, reject) => {
      const family = isIP(address);
      const length = Buffer.byteLength(post.body);
      let status: number | undefined;
      const request = (url.protocol === 'https:' ? requestHttps : requestHttp)(
        url,
        {
          method: 'POST',
          signal,
          agent: false,
          lookup: (_host, options, done) =>
            options.all === true ? done(null, [{ address, family }]) : done(null, address, family),
          headers: { ...post.headers, 'content-length': String(length) },
        },
        (response) => {
          const { statusCode = 0 } = response;
          status = statusCode;
          let left = SAFE_POST.answerBytes;
          const end = () => {
            clearTimeout(grace);
            resolve(statusCode);
            response.destroy();
          };
          const grace = setTimeout(end, SAFE_POST.answerMs);
          response.on('data', (chunk: Buffer) => {
            left -= chunk.length;
            if (left <= 0) end();
          });
          // An answer that breaks off has a status all the same.
          response.once('end', end).once('error', end).once('aborted', end);
        },
      );
      // A receiver has nothing to switch to.
      request.once('upgrade', (_response, socket) => {
        socket.destroy();
        reject(new Error('the receiver asked for another protocol'));
      });
      // What is wrong with a body that nobody reads does not change the status.
      request.on('error', (error) => (status === undefined ? reject(error) : resolve(status)));
      request.end(post.body);
    }),
};
