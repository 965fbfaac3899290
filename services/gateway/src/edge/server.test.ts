import { once } from 'node:events';
import { Agent, get } from 'node:http';
import { connect } from 'node:net';
import { describe, expect, test } from '@jest/globals';
import { type EdgeApp, startEdgeApp } from '../test/edge-app.js';

/** A server that stops waits for requests, not for connections (docs/reliability.md#deadlines). */
describe('a server that stops', () => {
  /** How long the server takes to close, in milliseconds; far less than its limits for silent and idle connections. */
  const closing = async (edge: EdgeApp): Promise<number> => {
    const began = performance.now();
    await edge.app.close();
    return performance.now() - began;
  };

  test('does not wait for a connection on which nothing was asked', async () => {
    const edge = await startEdgeApp('gateway_server');
    const socket = connect(Number(new URL(edge.url).port), '127.0.0.1');
    await once(socket, 'connect');
    // Whoever is answered was accepted later.
    await (await fetch(`${edge.url}/api/v1/inventory`)).arrayBuffer();
    const ended = once(socket, 'close');
    expect(await closing(edge)).toBeLessThan(20_000);
    await ended;
    await edge.stop();
  });

  test('answers what runs, then closes its kept connection', async () => {
    const edge = await startEdgeApp('gateway_server_running');
    let answer = () => {};
    const asked = new Promise<void>((running) => {
      edge.answer('network_facts', async () => {
        running();
        await new Promise<void>((resolve) => {
          answer = resolve;
        });
        return { approved: 1, priced: 1, as_of: '2026-11-22T11:40:00.000Z' };
      });
    });
    const agent = new Agent({ keepAlive: true });
    const answered = new Promise<number | undefined>((resolve, reject) => {
      get(`${edge.url}/`, { agent }, (response) =>
        response.resume().once('end', () => resolve(response.statusCode)),
      ).once('error', reject);
    });
    await asked;
    const closed = closing(edge);
    answer();
    expect(await answered).toBe(200);
    expect(await closed).toBeLessThan(20_000);
    await edge.stop();
    agent.destroy();
  });
});
