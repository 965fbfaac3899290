import { seedFrom } from '@cds/service/testing';
import { describe, expect, it } from '@jest/globals';
import { simulate } from './program.js';

const MINUTES_MS = 60_000;

/** Each how manieth step is struck, and how many schedules are drawn; `npm run test:deep` tries far more. */
const EVERY = Number(process.env['CDS_SIMULATION_EVERY'] ?? 72);
const RUNS = Number(process.env['CDS_SIMULATION_RUNS'] ?? 60);
const PAYMENTS = Number(process.env['CDS_SIMULATION_PAYMENTS'] ?? 10);
const KEYS = Number(process.env['CDS_SIMULATION_KEYS'] ?? 100);

/** The same schedules each time, so that a failure comes from the change; the nightly run draws its own seed. */
const seed = seedFrom('CDS_SIMULATION_SEED');

/**
 * The real signing, payment, command, outbox and key code on a simulated database, bus, rail and clock
 * (docs/reliability.md#layers): at every await a replica can die.
 */
describe('the simulation', () => {
  it(
    `keeps every invariant when a replica dies or pauses at a step of any scenario, and in schedules drawn from ${seed}`,
    async () => {
      const counts = { every: EVERY, seed, runs: RUNS, payments: PAYMENTS, keys: KEYS };
      const { code, said } = await simulate(
        ...Object.entries(counts).flatMap(([name, count]) => [`--${name}`, `${count}`]),
      );
      expect({ code, said: said.slice(-4_000) }).toEqual({
        code: 0,
        said: expect.not.stringMatching(/FAILED|[1-9] failed/),
      });
      expect(said.match(/, 0 failed$/gm)).toHaveLength(4);
    },
    RUNS > 1_000 ? 180 * MINUTES_MS : 10 * MINUTES_MS,
  );

  it(
    'replays a run from its seed, step by step',
    async () => {
      const [first, second] = await Promise.all([
        simulate('--seed', '7', '--trace'),
        simulate('--seed', '7', '--trace'),
      ]);
      expect(first.said.split('\n').length).toBeGreaterThan(100);
      expect(second.said).toBe(first.said);
    },
    MINUTES_MS,
  );
});
