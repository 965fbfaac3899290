import { type Fetched, UnsafeFetch } from '@cds/service';
import { decodePage, readPage, type Website } from './page.js';

const TYPES = ['text/html', 'application/xhtml+xml'] as const;

/** How a page is fetched: `safeFetch`, or what a test puts in its place. */
export type FetchPage = (
  address: string,
  types: readonly string[],
) => Promise<Pick<Fetched, 'url' | 'charset' | 'body'>>;

/** Reads a website's page from the outside; null when it cannot be had or says nothing. Source: domain 2-plans 2. */
export const readWebsite = async (fetchPage: FetchPage, address: string): Promise<Website | null> => {
  const page = await fetchPage(address, TYPES).catch((error: unknown) => {
    // A server that is away and an address that may not be asked for are told alike: neither is ours to report on.
    if (error instanceof UnsafeFetch || isOutside(error)) return null;
    throw error;
  });
  if (page === null) return null;
  const website = readPage(decodePage(page.body, page.charset));
  return website.name === null && website.summary === null && website.text === '' ? null : website;
};

/** An error of the network or of TLS on the way to the server, as Node names them. */
const isOutside = (error: unknown): boolean =>
  error instanceof Error &&
  (error.name === 'AbortError' ||
    ('code' in error &&
      /^(?:E[A-Z0-9]+$|ERR_STREAM_|ERR_TLS_|ERR_SSL_|CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|HPE_)/.test(
        String(error.code),
      )));
