import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Stack, startStack } from '../../../../tools/lib/stack.js';
import { getRequest, seedReaders } from '../fixture.js';
import { goal, rateRatio } from '../goals.js';
import { runRounds } from '../rounds.js';
import type { Scenario } from '../scenario.js';
import { READERS, ROUNDS, SECONDS, say } from '../settings.js';
import { httpVariant, inTurn, type OpenVariant, pidsOf } from '../variants.js';

const startCollector = async () => {
  const server = createServer((incoming, answer) => {
    incoming.resume().once('end', () => answer.writeHead(200, { 'content-type': 'application/json' }).end('{}'));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/v1/traces`, stop: () => server.close() };
};

const readsOf = async (name: string, stack: Stack): Promise<OpenVariant> => {
  const readers = await seedReaders(stack, READERS);
  const port = Number(new URL(stack.appUrl).port);
  const requests = readers.map(({ secret }) => getRequest(stack, '/api/v1/inventory', secret));
  return httpVariant(name, { port, pids: pidsOf(stack, ['gateway', 'catalog']) }, inTurn(requests));
};

/** GET /inventory with an access line a request and a trace of every tenth, against the same without: goal 13. */
export const observing: Scenario = async () => {
  say('starting two more systems');
  const collector = await startCollector();
  const stacks: Stack[] = [];
  const open: OpenVariant[] = [];
  try {
    const without = await startStack({ env: { CDS_LOG_LEVEL: 'silent' } });
    stacks.push(without);
    const observed = await startStack({ env: { CDS_OTEL_ENDPOINT: collector.url, CDS_OTEL_SAMPLE: '0.1' } });
    stacks.push(observed);
    open.push(await readsOf('without', without), await readsOf('observed', observed));
    const found = await runRounds(
      open.map(({ variant }) => variant),
      { rounds: ROUNDS, seconds: SECONDS, progress: say },
    );
    return {
      comparisons: { 'GET /inventory with access lines and traces at 10 %, 64 connections': found },
      goals: [
        goal(
          13,
          'access lines and traces at 10 %, against neither',
          '>=',
          0.75,
          rateRatio(found, 'observed', 'without'),
        ),
      ],
    };
  } finally {
    for (const { close } of open) close();
    for (const stack of stacks) await stack.stop();
    collector.stop();
  }
};
