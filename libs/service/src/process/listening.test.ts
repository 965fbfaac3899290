import { once } from 'node:events';
import { createServer } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { startListening } from './listening.js';
import { portOf } from './ops-port.js';

describe('a process that cannot listen', () => {
  const listen = ({ host, port }: { host: string; port: number }) =>
    once(createServer().listen(port, host), 'listening');

  it('names the variables of a port that is taken, and what to do', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const port = portOf(other);
    await expect(startListening('HTTP', { host: '127.0.0.1', port }, listen)).rejects.toThrow(
      `CDS_HTTP_HOST=127.0.0.1 CDS_HTTP_PORT=${port}: the process cannot listen there, because another process does`,
    );
    other.close();
  });

  it('names those of an address that the machine does not have', async () => {
    await expect(startListening('OPS', { host: '192.0.2.1', port: 0 }, listen)).rejects.toThrow(
      'CDS_OPS_HOST=192.0.2.1 CDS_OPS_PORT=0: the process cannot listen there, because this machine has no such address',
    );
  });

  it('passes on whatever else fails', async () => {
    const bug = new Error('a bug');
    const failing = () => Promise.reject(bug);
    await expect(startListening('OPS', { host: '127.0.0.1', port: 0 }, failing)).rejects.toBe(bug);
  });
});
