import { getRequest } from '../fixture.js';
import { cpuRatio, gate, rateRatio } from '../gates.js';
import { startMono, startStock } from '../references.js';
import type { Scenario } from '../scenario.js';
import { compareReads } from '../variants.js';

/**
 * GET /creators, the default page of 24 with meters on: gates 4, 6 and 8. `mono-gather` runs the same statements and
 * sends the page's bytes from memory.
 */
export const creators: Scenario = async (bench) => {
  const { stack, readers, captured } = bench;
  const references = [await startMono(stack, captured, 'gather'), await startStock(stack, captured)];
  try {
    const requests = readers.map(({ secret }) => getRequest(stack, '/api/v1/creators', secret));
    const found = await compareReads(bench, references, requests, ['gateway', 'catalog']);
    return {
      comparisons: { 'GET /creators, page of 24, 64 connections': found },
      gates: [
        gate(4, 'GET /creators against mono-gather', '>=', 0.8, rateRatio(found, 'ours', 'mono-gather')),
        gate(6, 'GET /creators against stock', '>=', 2, rateRatio(found, 'ours', 'stock')),
        gate(
          8,
          'GET /creators, CPU without mongod against mono-gather',
          '<=',
          1.6,
          cpuRatio(found, 'ours', 'mono-gather'),
        ),
      ],
    };
  } finally {
    for (const { stop } of references) stop();
  }
};
