import { type Agent, request } from 'node:http';
import type { Stack } from '../../../tools/lib/stack.js';

/** Where requests go: a port of this machine, under the system's own host name. */
export type Target = { agent: Agent; host: string; port: number };

export type Request = { path: string; secret: string; write?: { key: string; body: string } };

export const targetOf = ({ appUrl }: Pick<Stack, 'appUrl'>, agent: Agent): Target => {
  const { host, port } = new URL(appUrl);
  return { agent, host, port: Number(port) };
};

/** Sends a request, and returns its answer with the milliseconds until its last byte. Throws unless it succeeds. */
export const send = (
  { agent, host, port }: Target,
  { path, secret, write }: Request,
): Promise<{ ms: number; text: string }> =>
  new Promise((resolve, reject) => {
    const method = write === undefined ? 'GET' : 'POST';
    const headers = {
      host,
      authorization: `Bearer ${secret}`,
      ...(write && {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(write.body),
        'idempotency-key': write.key,
      }),
    };
    const started = performance.now();
    const sent = request({ agent, port, host: '127.0.0.1', method, path, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.once('end', () => {
        const ms = performance.now() - started;
        const text = Buffer.concat(chunks).toString();
        const { statusCode: status = 0 } = response;
        if (status >= 200 && status < 300) resolve({ ms, text });
        else reject(new Error(`${method} ${path} responded ${status}: ${text.slice(0, 300)}`));
      });
    });
    sent.once('error', reject);
    sent.end(write?.body);
  });
