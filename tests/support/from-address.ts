import { request } from 'node:http';

/**
 * `fetch` for JSON from another loopback address, so that a test is a client of its own: limits without a key count the
 * address of the peer.
 */
export const fetchFrom =
  (localAddress: string): typeof fetch =>
  (input, init = {}) =>
    new Promise((resolve, reject) => {
      const asked = new Request(input, { ...init, body: null });
      const headers = Object.fromEntries(asked.headers);
      const sent = request(asked.url, { method: asked.method, headers, localAddress }, (answer) => {
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => chunks.push(chunk));
        answer.on('error', reject);
        answer.on('end', () => {
          const body = Buffer.concat(chunks);
          const received = new Headers();
          for (const [name, value] of Object.entries(answer.headers))
            for (const one of [value ?? []].flat()) received.append(name, one);
          const status = answer.statusCode ?? 500;
          resolve(new Response(status === 204 || body.length === 0 ? null : body, { status, headers: received }));
        });
      });
      sent.on('error', reject);
      sent.end(typeof init.body === 'string' ? init.body : undefined);
    });
