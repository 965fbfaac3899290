import { type AddressInfo, createServer } from 'node:net';

function canBind(port: number, host: string): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) =>
      resolve(error.code !== 'EADDRINUSE' && error.code !== 'EACCES'),
    );
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(true)));
  });
}

/** Both loopback addresses: a foreign process on ::1 would get visitors of "localhost". */
export async function isFree(port: number) {
  return (await canBind(port, '127.0.0.1')) && (await canBind(port, '::1'));
}

const given: Set<number> = new Set();

/** A free loopback port, never the same one twice in one process, because the caller binds it a moment later. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = await new Promise<number>((resolve, reject) => {
      const server = createServer();
      server.once('error', reject);
      server.listen(0, '127.0.0.1', () => {
        const taken = (server.address() as AddressInfo).port;
        server.close(() => resolve(taken));
      });
    });
    if (given.has(port)) continue;
    given.add(port);
    return port;
  }
}

/** As many ports: each the wanted one if it is free, otherwise any free one. */
export async function keptPorts(wanted: readonly number[], count: number) {
  const ports: number[] = [];
  for (let index = 0; index < count; index += 1) {
    const own = wanted[index];
    ports.push(own && (await isFree(own)) ? own : await freePort());
  }
  return ports;
}

/** The wanted port or the next free one above it. */
export async function nextFreePort(wanted: number) {
  for (let port = wanted; port < Math.min(wanted + 200, 65_536); port += 1) if (await isFree(port)) return port;
  return freePort();
}
