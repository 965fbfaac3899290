import { type Fetched, UnsafeFetch } from '@cds/service';
import { decodePage, readPage, type Website } from './page.js';

const TYPES = ['text/html', 'application/xhtml+xml'] as const;

export type FetchPage = (
  address: string,
  types: readonly string[],
) => Promise<Pick<Fetched, 'url' | 'charset' | 'body'>>;

/** Null when it cannot be fetched or says nothing. Source: docs/domain/plans.md#company-context. */
export const readWebsite = async (fetchPage: FetchPage, address: string): Promise<Website | null> => {
  const page = await fetchPage(address, TYPES).catch((error: unknown) => {
    // A silent server and a forbidden address look the same, so that nobody can probe addresses.
    if (error instanceof UnsafeFetch || isOutside(error)) return null;
    throw error;
  });
  if (page === null) return null;
  const website = readPage(decodePage(page.body, page.charset));
  return website.name === null && website.summary === null && website.text === '' ? null : website;
};

const isOutside = (error: unknown): boolean =>
  error instanceof Error &&
  (error.name === 'AbortError' ||
    ('code' in error &&
      /^(?:E[A-Z0-9]+$|ERR_STREAM_|ERR_TLS_|ERR_SSL_|CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|HPE_)/.test(
        String(error.code),
      )));
