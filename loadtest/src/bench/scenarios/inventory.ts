import { getRequest } from '../fixture.js';
import { cpuRatio, gate, p99Ratio, rateRatio } from '../gates.js';
import { startMono, startStock } from '../references.js';
import type { Scenario } from '../scenario.js';
import { compareReads } from '../variants.js';

/** GET /inventory against `mono`, `mono` with batched key statements, and `stock`: gates 1, 2, 3, 6 and 8. */
export const inventory: Scenario = async (bench) => {
  const { stack, readers, captured } = bench;
  const references = [
    await startMono(stack, captured, 'one'),
    await startMono(stack, captured, 'gather'),
    await startStock(stack, captured),
  ];
  try {
    const requests = readers.map(({ secret }) => getRequest(stack, '/api/v1/inventory', secret));
    const found = await compareReads(bench, references, requests, ['gateway', 'catalog']);
    return {
      comparisons: { 'GET /inventory, 64 connections': found },
      gates: [
        gate(1, 'GET /inventory against mono', '>=', 1, rateRatio(found, 'ours', 'mono')),
        gate(2, 'GET /inventory against mono-gather', '>=', 0.6, rateRatio(found, 'ours', 'mono-gather')),
        gate(3, 'GET /inventory, p99 against mono', '<=', 1.5, p99Ratio(found, 'ours', 'mono')),
        gate(6, 'GET /inventory against stock', '>=', 1.6, rateRatio(found, 'ours', 'stock')),
        gate(
          8,
          'GET /inventory, CPU without mongod against mono-gather',
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
