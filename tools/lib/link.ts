/** A TCP link on loopback that can be cut: connections break, and new ones are refused until it heals. */
import { connect, createServer, type Socket } from 'node:net';
import { freePort } from './ports.ts';

export type Link = Awaited<ReturnType<typeof startLink>>;

export async function startLink(target: number) {
  const port = await freePort();
  const sockets: Set<Socket> = new Set();
  const server = createServer((near) => {
    const far = connect({ host: '127.0.0.1', port: target, noDelay: true });
    near.setNoDelay(true);
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ]) {
      sockets.add(socket);
      socket.on('error', () => other.destroy());
      socket.once('close', () => {
        sockets.delete(socket);
        other.destroy();
      });
    }
    near.pipe(far);
    far.pipe(near);
  });
  const listen = () =>
    new Promise((resolve, reject) => {
      server.once('error', reject).listen(port, '127.0.0.1', () => resolve(undefined));
    });
  const cut = async () => {
    const closed = new Promise((resolve) => server.close(resolve));
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  await listen();
  return { port, cut, heal: listen };
}
