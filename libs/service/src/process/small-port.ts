import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

/** What a process without an application of its own says on its small port. */
export type SmallPort = {
  alive: () => boolean;
  /** Null when the process is ready, else why not. */
  problem: () => string | null;
  metrics: (request: IncomingMessage, response: ServerResponse) => void;
};

/** Serves `/livez`, `/readyz` and `/metrics`, and answers how to stop. For a process that needs no Nest application. */
export const serveSmallPort = async (
  { host, port }: { host: string; port: number },
  of: SmallPort,
): Promise<() => Promise<void>> => {
  const tell = (response: ServerResponse, status: number, body: object) =>
    void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    if (pathname === '/metrics') return of.metrics(request, response);
    if (pathname === '/livez') {
      const alive = of.alive();
      return tell(response, alive ? 200 : 503, { status: alive ? 'ok' : 'error' });
    }
    if (pathname === '/readyz') {
      const problem = of.problem();
      return tell(response, problem === null ? 200 : 503, problem === null ? { status: 'ok' } : { problem });
    }
    tell(response, 404, { status: 'not found' });
  });
  server.listen(port, host);
  await once(server, 'listening');
  return async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  };
};
