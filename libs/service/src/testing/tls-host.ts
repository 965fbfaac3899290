import { createServer, request } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Outside } from '../http/safe-fetch.js';

/** A certificate for tests only; its name does not resolve. */
const NAME = 'pictures.creators.net';
const KEY = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgcxMUDOS+W1mEs58E
1DrDw6zHbConTMv/4W2Ziz/LT8+hRANCAASdllbAqpBb8aRcBK7q+APaUqNFHr8B
cGRz+sSjtJD3QJadQllxypXyj+VsVUq+ZoPpAWmVyLQK9gUZ6P7/hZ08
-----END PRIVATE KEY-----`;
const CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBuDCCAV+gAwIBAgIUOKdKJ8pMMrEKr261xFAJnv5y0UowCgYIKoZIzj0EAwIw
IDEeMBwGA1UEAwwVcGljdHVyZXMuY3JlYXRvcnMubmV0MCAXDTI2MTEyMTE0NTA1
MVoYDzIxMjYxMDI4MTQ1MDUxWjAgMR4wHAYDVQQDDBVwaWN0dXJlcy5jcmVhdG9y
cy5uZXQwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAASdllbAqpBb8aRcBK7q+APa
UqNFHr8BcGRz+sSjtJD3QJadQllxypXyj+VsVUq+ZoPpAWmVyLQK9gUZ6P7/hZ08
o3UwczAdBgNVHQ4EFgQUAfgXVT+djRlINie1jWhyd0fqKG0wHwYDVR0jBBgwFoAU
AfgXVT+djRlINie1jWhyd0fqKG0wDwYDVR0TAQH/BAUwAwEB/zAgBgNVHREEGTAX
ghVwaWN0dXJlcy5jcmVhdG9ycy5uZXQwCgYIKoZIzj0EAwIDRwAwRAIgLjRcO6pQ
10UD400PiFGlWkta7X+FBsu9eChq3Ftvs1sCICrOdfcrQ7gfKjAe4zSBtRHrVto7
ghxGBJBrh795LksU
-----END CERTIFICATE-----`;

/** What the server returns at one path. */
type Hosted = { body: Buffer; type: string; status?: number; location?: string };

/** A TLS server on loopback under a public name, so that `safeFetch` runs all its checks. */
export const aTlsHost = async () => {
  const served = new Map<string, Hosted>();
  const asked: string[] = [];
  const server = createServer({ key: KEY, cert: CERTIFICATE }, (incoming, response) => {
    asked.push(incoming.url ?? '');
    const found = served.get(incoming.url ?? '');
    response.writeHead(found === undefined ? 404 : (found.status ?? 200), {
      'content-type': found?.type ?? 'text/plain',
      ...(found?.location === undefined ? {} : { location: found.location }),
    });
    response.end(found?.body);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;

  const outside: Outside = {
    resolve: async (host) => (host === NAME ? ['93.184.215.14'] : []),
    connect: (url, _address, signal) =>
      new Promise((resolve, reject) => {
        const sent = request(
          { host: '127.0.0.1', port, servername: NAME, ca: CERTIFICATE, path: url.pathname, signal, agent: false },
          (response) => {
            const headers = Object.fromEntries(
              Object.entries(response.headers).map(([name, value]) => [name, String(value)]),
            );
            resolve({ status: response.statusCode ?? 0, headers, body: response });
          },
        );
        sent.once('error', reject);
        sent.end();
      }),
  };

  return {
    name: NAME,
    port,
    certificate: CERTIFICATE,
    outside,
    asked,
    /** Serves something at a path, and returns its URL. */
    put: (path: string, hosted: Hosted): string => {
      served.set(path, hosted);
      return `https://${NAME}${path}`;
    },
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
