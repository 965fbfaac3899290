import { getRequest, plansOf } from '../fixture.js';
import { cpuRatio, type Goal, goal, p99Ratio, rateRatio } from '../goals.js';
import { type Reference, startMono, startStock } from '../references.js';
import type { VariantReport } from '../rounds.js';
import type { Bench, Scenario } from '../scenario.js';
import { ROUNDS } from '../settings.js';
import { compareReads } from '../variants.js';

type Read = {
  title: string;
  references: (bench: Bench) => Promise<Reference[]>;
  requests: (bench: Bench) => Buffer[];
  services: readonly string[];
  rounds?: number;
  goals: (found: readonly VariantReport[]) => Goal[];
};

const scenarioOf =
  ({ title, references, requests, services, rounds, goals }: Read): Scenario =>
  async (bench) => {
    const started = await references(bench);
    try {
      const found = await compareReads(bench, started, requests(bench), services, rounds);
      return { comparisons: { [title]: found }, goals: goals(found) };
    } finally {
      for (const { stop } of started) stop();
    }
  };

const ofReaders =
  (path: string) =>
  ({ stack, readers }: Bench) =>
    readers.map(({ secret }) => getRequest(stack, path, secret));

/** Against `mono`, `mono` with batched key statements, and `stock`: goals 1, 2, 3, 6 and 8. */
export const inventory = scenarioOf({
  title: 'GET /inventory, 64 connections',
  references: async ({ stack, captured }) => [
    await startMono(stack, captured, 'one'),
    await startMono(stack, captured, 'gather'),
    await startStock(stack, captured),
  ],
  requests: ofReaders('/api/v1/inventory'),
  services: ['gateway', 'catalog'],
  goals: (found) => [
    goal(1, 'GET /inventory against mono', '>=', 1, rateRatio(found, 'ours', 'mono')),
    goal(2, 'GET /inventory against mono-gather', '>=', 0.6, rateRatio(found, 'ours', 'mono-gather')),
    goal(3, 'GET /inventory, p99 against mono', '<=', 1.5, p99Ratio(found, 'ours', 'mono')),
    goal(6, 'GET /inventory against stock', '>=', 1.6, rateRatio(found, 'ours', 'stock')),
    cpuGoal('GET /inventory', found),
  ],
});

/** The default page of 24 with meters on: goals 4, 6 and 8. `mono-gather` sends the page's bytes from memory. */
export const creators = scenarioOf({
  title: 'GET /creators, page of 24, 64 connections',
  references: async ({ stack, captured }) => [
    await startMono(stack, captured, 'gather'),
    await startStock(stack, captured),
  ],
  requests: ofReaders('/api/v1/creators'),
  services: ['gateway', 'catalog'],
  goals: (found) => [
    goal(4, 'GET /creators against mono-gather', '>=', 0.8, rateRatio(found, 'ours', 'mono-gather')),
    goal(6, 'GET /creators against stock', '>=', 2, rateRatio(found, 'ours', 'stock')),
    cpuGoal('GET /creators', found),
  ],
});

/** Against `mono` on the same documents; it decides no goal. */
export const quote = scenarioOf({
  title: 'GET /plans/{id}/quote, 64 connections',
  references: async ({ stack, captured }) => [await startMono(stack, captured, 'one')],
  requests: (bench) =>
    plansOf(bench).readable.flatMap(({ planId, secrets }) =>
      secrets.map((secret) => getRequest(bench.stack, `/api/v1/plans/${planId}/quote`, secret)),
    ),
  services: ['gateway', 'planning', 'catalog', 'billing'],
  rounds: Math.min(ROUNDS, 6),
  goals: () => [],
});

function cpuGoal(path: string, found: readonly VariantReport[]): Goal {
  const title = `${path}, CPU without mongod against mono-gather`;
  return goal(8, title, '<=', 1.6, cpuRatio(found, 'ours', 'mono-gather'));
}
