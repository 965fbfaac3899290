import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { MUTANTS } from './mutants.js';

const PROGRAM = join(import.meta.dirname, '..', '..', 'tools', 'simulation.js');
const MINUTES_MS = 60_000;
/** How many schedules a mutant may survive. */
const SURVIVES_MOST = '600';

/** The same schedules each time, so that a failure comes from the change; the nightly run draws its own seed. */
const seed = Number(process.env['CDS_SIMULATION_SEED'] ?? 1);

/** Runs the program in its own process, since it replaces the clock, and returns its output. */
const simulate = (...args: string[]): Promise<{ code: number; said: string }> =>
  new Promise((resolve) => {
    execFile(process.execPath, [PROGRAM, ...args], { maxBuffer: 64 * 1024 * 1024 }, (error, said, errors) => {
      resolve({ code: error === null ? 0 : 1, said: said + errors });
    });
  });

/**
 * The real signing, command and outbox code on a simulated database, bus, rail and clock (docs/reliability.md#layers):
 * at every await a replica can die.
 */
describe('the simulation', () => {
  it(
    'keeps every invariant when a replica dies or pauses at any step of any scenario',
    async () => {
      const { code, said } = await simulate('--only', 'points');
      expect({ code, said: said.slice(-4_000) }).toEqual({ code: 0, said: expect.stringContaining(', 0 failed') });
    },
    5 * MINUTES_MS,
  );

  it(
    `keeps every invariant in 2,000 schedules drawn from the seed ${seed}`,
    async () => {
      const { code, said } = await simulate('--only', 'schedules', '--seed', String(seed), '--runs', '2000');
      expect({ code, said: said.slice(-4_000) }).toEqual({ code: 0, said: expect.stringContaining(', 0 failed') });
    },
    10 * MINUTES_MS,
  );

  it.each(MUTANTS)(
    'finds $name: $without',
    async ({ name, seed: from, breaks }) => {
      const { code, said } = await simulate(
        ...['--only', 'schedules', '--mutant', name, '--seed', String(from), '--runs', SURVIVES_MOST, '--most', '1'],
      );
      expect({ code, said }).toEqual({ code: 1, said: expect.stringMatching(new RegExp(breaks.join('|'))) });
    },
    5 * MINUTES_MS,
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
