import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What processes exported to the collector of this Jest: the bodies of their OTLP requests, as they came. */
export const exported: Buffer[] = [];

export const startCollector = async (): Promise<string> => {
  const collector = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      exported.push(Buffer.concat(parts));
      response.end();
    });
  })
    .listen(0, '127.0.0.1')
    .unref();
  await once(collector, 'listening');
  return `http://127.0.0.1:${(collector.address() as AddressInfo).port}/v1/traces`;
};
