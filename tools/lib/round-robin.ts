/** A small HTTP proxy on loopback: each request goes to the next backend that is ready. */
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { pipeline } from 'node:stream';

export type RoundRobin = Awaited<ReturnType<typeof startRoundRobin>>;
type Backend = { port: number; ready: boolean; drained: boolean; running: number };

const PROBE_EVERY_MS = 200;
const PROBE_LIMIT_MS = 1_000;
const DRAIN_LIMIT_MS = 30_000;

/**
 * Listens on `port` and forwards to the backends' ports. A request whose connection is refused goes to the next
 * backend, because nothing of it was sent. Each request has a connection of its own: one kept open could end just as a
 * request is written to it.
 */
export async function startRoundRobin({ port, backends: ports }: { port: number; backends: readonly number[] }) {
  const backends: Backend[] = ports.map((one) => ({ port: one, ready: true, drained: false, running: 0 }));
  let turn = 0;

  const next = (tried: ReadonlySet<Backend>) => {
    turn += 1;
    const left = backends.filter((one) => !one.drained && !tried.has(one));
    const ready = left.filter((one) => one.ready);
    const among = ready.length > 0 ? ready : left;
    return among[turn % among.length];
  };

  const forward = (incoming: IncomingMessage, outgoing: ServerResponse, tried = new Set<Backend>()) => {
    const backend = next(tried);
    if (!backend) {
      outgoing.writeHead(502, { 'content-type': 'text/plain' }).end('No gateway answers. Retry in a second.\n');
      return;
    }
    tried.add(backend);
    backend.running += 1;
    const forwarded = [incoming.headers['x-forwarded-for'], incoming.socket.remoteAddress].filter(Boolean).join(', ');
    const sent = request({
      host: '127.0.0.1',
      port: backend.port,
      method: incoming.method,
      path: incoming.url,
      headers: { ...incoming.headers, 'x-forwarded-for': forwarded, connection: 'close' },
      agent: false,
    });
    sent.once('close', () => {
      backend.running -= 1;
    });
    sent.once('response', (answer) => {
      const { connection: _ofTheBackend, 'keep-alive': _too, ...headers } = answer.headers;
      outgoing.writeHead(answer.statusCode ?? 502, headers);
      pipeline(answer, outgoing, () => {});
    });
    sent.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNREFUSED') {
        backend.ready = false;
        forward(incoming, outgoing, tried);
      } else if (outgoing.headersSent) outgoing.destroy();
      else outgoing.writeHead(502, { 'content-type': 'text/plain' }).end(`The gateway broke off: ${error.code}.\n`);
    });
    // Sent only once connected, so that a refused request is still whole for the next backend.
    sent.once('socket', (socket) => socket.once('connect', () => incoming.pipe(sent)));
    outgoing.once('close', () => {
      if (!outgoing.writableFinished) sent.destroy();
    });
  };

  const server = createServer({ requestTimeout: 0 }, (incoming, outgoing) => forward(incoming, outgoing));
  await new Promise((resolve, reject) => {
    server.once('error', reject).listen(port, '127.0.0.1', () => resolve(undefined));
  });
  const probes = setInterval(() => {
    for (const backend of backends) void probe(backend);
  }, PROBE_EVERY_MS);

  return {
    port,
    /**
     * Takes a backend out, waits until its requests are answered, does the work and takes it in again once it is ready.
     */
    async without(backendPort: number, work: () => Promise<unknown>) {
      const backend = backends.find((one) => one.port === backendPort);
      if (!backend) throw new Error(`The proxy has no backend on port ${backendPort}.`);
      backend.drained = true;
      try {
        await until(() => backend.running === 0);
        await work();
        backend.ready = false;
        await until(async () => {
          await probe(backend);
          return backend.ready;
        });
      } finally {
        backend.drained = false;
      }
    },
    async stop() {
      clearInterval(probes);
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function probe(backend: Backend) {
  try {
    const answer = await fetch(`http://127.0.0.1:${backend.port}/readyz`, {
      signal: AbortSignal.timeout(PROBE_LIMIT_MS),
    });
    await answer.body?.cancel();
    backend.ready = answer.ok;
  } catch {
    backend.ready = false;
  }
}

async function until(holds: () => boolean | Promise<boolean>) {
  for (const end = Date.now() + DRAIN_LIMIT_MS; !(await holds()); ) {
    if (Date.now() > end) throw new Error(`The backend was not drained or ready within ${DRAIN_LIMIT_MS / 1000} s.`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
