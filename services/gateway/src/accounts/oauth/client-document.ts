import { type Fetched, safeFetch } from '@cds/service';
import { clientSays } from './domain/mcp-client.js';

/** Fetches a client id metadata document; tests pass their own. */
export type DocumentFetch = (url: string) => Promise<Pick<Fetched, 'url' | 'body'>>;

const TYPES = ['application/json', 'application/cimd+json'];

export const fetchDocument: DocumentFetch = (url) => safeFetch(url, TYPES);

const LONGEST = 64 * 1024;

const parsed = (body: Buffer): Record<string, unknown> => {
  const value: unknown = body.length > LONGEST ? null : JSON.parse(body.toString('utf8'));
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
};

/** The document behind a client id: only what we use, and only if it was found at that very address. */
export const clientDocument = async (url: string, fetchIt: DocumentFetch): Promise<Response> => {
  const { url: found, body } = await fetchIt(url);
  if (found !== new URL(url).href) throw new Error('the document was found at another address');
  const document = parsed(body);
  const says = clientSays(document);
  if ('problem' in says) throw new Error(`${says.problem.field} ${says.problem.message}`);
  const { token_endpoint_auth_method: method = 'none' } = document;
  return Response.json({
    client_id: document['client_id'],
    client_name: says.name,
    redirect_uris: says.redirectUris,
    ...(says.website === null ? {} : { client_uri: says.website }),
    token_endpoint_auth_method: method,
    application_type: 'native',
  });
};
