import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Where the browser brings the answer of a sign-in: an address on this machine, for as long as it is open. */
export type Loopback = {
  redirectUri: string;
  /** The first answer that is accepted. Rejects with the signal's reason when it is aborted. */
  answer: (signal: AbortSignal) => Promise<URLSearchParams>;
  close: () => Promise<void>;
};

const PATH = '/callback';

const PAGE = `<!doctype html><html lang="en"><meta charset="utf-8"><title>cds</title>
<p>Go on in the terminal. You can close this window.</p></html>
`;

const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': "default-src 'none'",
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  connection: 'close',
};

const NOWHERE = new URL('http://127.0.0.1/');

/**
 * Listens on the loopback interface, at a port that is free (RFC 8252, 7.3). Any page in the browser can send a request
 * here, so one that is not accepted is 404 and ends nothing.
 */
export const listen = async (accepts: (answer: URLSearchParams) => boolean): Promise<Loopback> => {
  // Without Promise.withResolvers, so that a sign-in also ends well on Node 20.
  let resolve: (answer: URLSearchParams) => void = () => undefined;
  let reject: (reason: unknown) => void = () => undefined;
  const promise = new Promise<URLSearchParams>((resolved, rejected) => {
    resolve = resolved;
    reject = rejected;
  });
  const server = createServer((request, response) => {
    const asked = request.url ?? '/';
    const { pathname, searchParams } = URL.canParse(asked, NOWHERE.href) ? new URL(asked, NOWHERE) : NOWHERE;
    const accepted = request.method === 'GET' && pathname === PATH && accepts(searchParams);
    response.writeHead(accepted ? 200 : 404, HEADERS).end(accepted ? PAGE : '');
    if (accepted) response.once('close', () => resolve(searchParams));
  });
  await new Promise<void>((done, failed) => {
    server.once('error', failed).listen(0, '127.0.0.1', done);
  });
  const { port } = server.address() as AddressInfo;
  return {
    redirectUri: `http://127.0.0.1:${port}${PATH}`,
    answer: (signal) => {
      const stop = () => reject(signal.reason);
      signal.addEventListener('abort', stop, { once: true });
      if (signal.aborted) stop();
      return promise.finally(() => signal.removeEventListener('abort', stop));
    },
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
};
