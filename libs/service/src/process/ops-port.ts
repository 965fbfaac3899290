import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Server } from 'node:net';
import { startListening } from './listening.js';

type OpsPort = {
  alive: () => boolean;
  problem: () => string | null;
  metrics: (request: IncomingMessage, response: ServerResponse) => void;
};

export const portOf = (server: Server): number => (server.address() as AddressInfo).port;

/** Serves `/livez`, `/readyz` and `/metrics` without a Nest application, until `close` is called. */
export const serveOpsPort = async (
  at: { host: string; port: number },
  of: OpsPort,
): Promise<{ port: number; close: () => Promise<void> }> => {
  const respond = (response: ServerResponse, status: number, body: object) =>
    void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    if (pathname === '/metrics') return of.metrics(request, response);
    if (pathname === '/livez') {
      const alive = of.alive();
      return respond(response, alive ? 200 : 503, { status: alive ? 'ok' : 'error' });
    }
    if (pathname === '/readyz') {
      const problem = of.problem();
      return respond(response, problem === null ? 200 : 503, problem === null ? { status: 'ok' } : { problem });
    }
    respond(response, 404, { status: 'not found' });
  });
  await startListening('OPS', at, ({ host, port }) => once(server.listen(port, host), 'listening'));
  const close = async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  };
  return { port: portOf(server), close };
};
