import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, it } from '@jest/globals';
import { pino } from 'pino';
import { portOf } from '../process/ops-port.js';
import { BusConnection } from './connection.js';

it('names the variables of a login that the bus refuses, and never the password', async () => {
  const info = { server_id: 'N', version: '2.12.1', proto: 1, max_payload: 1_048_576, auth_required: true };
  const bus = createServer((socket) => {
    socket.on('error', () => {}).write(`INFO ${JSON.stringify(info)}\r\n`);
    socket.once('data', () => socket.end("-ERR 'Authorization Violation'\r\n"));
  }).listen(0, '127.0.0.1');
  await once(bus, 'listening');
  const login = { url: `nats://127.0.0.1:${portOf(bus)}`, user: 'billing', password: 'open-sesame' };
  const opened = BusConnection.open('billing', login, pino({ level: 'silent' }));
  const error = await opened.then(
    () => undefined,
    (reason: Error) => reason,
  );
  bus.close();
  expect(error?.message).toMatch(
    /^CDS_NATS_USER=billing: the bus answers "Authorization Violation"; set it and CDS_NATS_PASSWORD/,
  );
  expect(error?.message).not.toContain('open-sesame');
});
