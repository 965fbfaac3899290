import { seedFrom } from '@cds/service/testing';
import { describe, expect, it } from '@jest/globals';
import { simulate } from './program.js';

const MINUTES_MS = 60_000;

/** How many steps, schedules of signing and schedules of payments are tried; `npm run test:deep` tries far more. */
const EVERY = Number(process.env['CDS_SIMULATION_EVERY'] ?? 36);
const RUNS = Number(process.env['CDS_SIMULATION_RUNS'] ?? 150);
const PAYMENTS = Number(process.env['CDS_SIMULATION_PAYMENTS'] ?? 25);

/** The same schedules each time, so that a failure comes from the change; the nightly run draws its own seed. */
const seed = seedFrom('CDS_SIMULATION_SEED');

/**
 * The real signing, payment, command and outbox code on a simulated database, bus, rail and clock
 * (docs/reliability.md#layers): at every await a replica can die.
 */
describe('the simulation', () => {
  it(
    'keeps every invariant when a replica dies or pauses at a step of any scenario',
    async () => {
      const { code, said } = await simulate('--only', 'points', '--every', String(EVERY));
      expect({ code, said: said.slice(-4_000) }).toEqual({ code: 0, said: expect.stringContaining(', 0 failed') });
    },
    EVERY === 1 ? 60 * MINUTES_MS : 5 * MINUTES_MS,
  );

  it.each([
    { kind: 'schedules', option: '--runs', runs: RUNS },
    { kind: 'payments', option: '--payments', runs: PAYMENTS },
  ])(
    `keeps every invariant in $runs $kind drawn from the seed ${seed}`,
    async ({ kind, option, runs }) => {
      const { code, said } = await simulate('--only', kind, '--seed', String(seed), option, String(runs));
      expect({ code, said: said.slice(-4_000) }).toEqual({ code: 0, said: expect.stringContaining(', 0 failed') });
    },
    RUNS > 1_000 ? 60 * MINUTES_MS : 10 * MINUTES_MS,
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
