import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Received = { headers: IncomingHttpHeaders; body: string; path: string };

/** A receiver of webhooks on loopback: it records what it is sent, and answers as the test says. */
export type Receiver = {
  url: string;
  received: Received[];
  /** How the next requests are answered; 204 by default. */
  answer: (how: (response: ServerResponse, sent: Received, nth: number) => void) => void;
  /** How many requests are open now. */
  open: () => number;
  /** The most requests that were open at once, by what `of` says of each. */
  atOnce: (of: (sent: Received) => string) => number;
  stop: () => Promise<void>;
};

export const aReceiver = async (): Promise<Receiver> => {
  const received: Received[] = [];
  const open = new Set<Received>();
  const peaks: Received[][] = [];
  let how: Parameters<Receiver['answer']>[0] = (response) => void response.writeHead(204).end();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const sent = { headers: request.headers, body: Buffer.concat(chunks).toString(), path: request.url ?? '' };
      received.push(sent);
      open.add(sent);
      peaks.push([...open]);
      response.once('close', () => open.delete(sent));
      how(response, sent, received.length);
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/hooks`,
    received,
    answer: (next) => {
      how = next;
    },
    open: () => open.size,
    atOnce: (of) =>
      Math.max(
        0,
        ...peaks.map((peak) => {
          const counts = new Map<string, number>();
          for (const one of peak) counts.set(of(one), (counts.get(of(one)) ?? 0) + 1);
          return Math.max(...counts.values());
        }),
      ),
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
