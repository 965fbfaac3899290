import { AppError } from '@cds/contracts';
import { cookieIn, type Exchange, headerValues } from '../../edge/port.js';
import { redirectHost } from './domain/mcp-client.js';
import { COOKIES } from './provider.js';
import { type Transport, transportOf } from './resource.js';
import type { OAuthServer } from './server.js';

/** A client that waits for a person's decision. Its name is what it calls itself. */
export type Asked = {
  uid: string;
  clientId: string;
  name: string;
  transport: Transport;
  to: string;
  /** The host that describes the client, for a client id that is an address. */
  describedBy: string | null;
};

export const signInEnded = (): AppError =>
  new AppError(
    'not_found',
    'This sign-in has ended, or it was begun in another browser. Start it again in your agent.',
  );

/** The sign-in of a page, for the browser in which its client began it. Raises not_found. */
export const askedIn = async (
  { appUrl, rows }: Pick<OAuthServer, 'appUrl' | 'rows'>,
  exchange: Exchange,
  uid: string,
): Promise<Asked> => {
  if (cookieIn(headerValues(exchange.raw, 'cookie'), COOKIES.ask) !== uid) throw signInEnded();
  const row = await rows.request(uid);
  if (row === null) throw signInEnded();
  const { params, prompt } = row.payload as {
    params: { client_id: string; redirect_uri: string; resource: string };
    prompt: { details: { client_name: string } };
  };
  const { client_id: clientId } = params;
  const transport = transportOf(appUrl, params.resource);
  if (transport === null) throw signInEnded();
  return {
    uid,
    clientId,
    transport,
    name: prompt.details.client_name,
    to: redirectHost(params.redirect_uri),
    describedBy: URL.canParse(clientId) ? new URL(clientId).host : null,
  };
};
