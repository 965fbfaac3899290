import { describe, expect, it } from '@jest/globals';
import { serveOpsPort } from './ops-port.js';

describe('the operations port', () => {
  const of = { alive: () => true, problem: () => null, metrics: () => {} };

  it('says which port it listens on, also when it takes a free one', async () => {
    const { port, close } = await serveOpsPort({ host: '127.0.0.1', port: 0 }, of);
    expect(port).toBeGreaterThan(0);
    expect((await fetch(`http://127.0.0.1:${port}/livez`)).status).toBe(200);
    await close();
  });
});
