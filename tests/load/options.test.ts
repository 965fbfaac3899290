import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { ASSUMED, costOf, needed } from '../../tools/load/capacity-model.js';
import { capacityPage } from '../../tools/load/capacity-page.js';
import { growthOf } from '../../tools/load/growth.js';
import { parseLoadOptions } from '../../tools/load/options.js';

describe('npm run load', () => {
  it('runs the smoke test by default, and takes what its options say', () => {
    expect(parseLoadOptions([])).toMatchObject({ run: 'smoke', runtime: undefined });
    expect(
      parseLoadOptions(['browse', '--seconds', '5', '--rate', '7', '--brands', '2', '--runtime', 'r.json']),
    ).toEqual({ run: 'browse', seconds: 5, rate: 7, brands: 2, runtime: 'r.json' });
  });

  it.each([
    [['nothing']],
    [['browse', 'soak']],
    [['browse', '--rate', '0']],
    [['browse', '--rate', 'x']],
    [['--what']],
  ])('refuses %j, with a command that works', (args) => {
    expect(() => parseLoadOptions(args)).toThrow(/./);
  });
});

describe('the model of capacity', () => {
  const cost = (ms: number) => ({
    cpu_ms: { gateway: ms, mongod: ms, 'bus-admin': 0 },
    memory_mib: { gateway: 100, mongod: 1_024, 'bus-admin': 50 },
  });

  it('turns costs into cores, processes, memory and money', () => {
    const keys = 86_400;
    const row = needed(keys, { idle: {}, read: cost(1), job: cost(0) });
    const reads = ASSUMED.readsPerKeyAndDay * ASSUMED.peak;
    expect(row.reads).toBeCloseTo(reads);
    expect(row.cores['gateway']).toBeCloseTo(reads / 1_000 / ASSUMED.used);
    expect(row.cores['mongod']).toBeCloseTo((reads / 1_000 / ASSUMED.used) * 2);
    expect(row.processes).toEqual({
      gateway: Math.ceil(reads / 1_000 / ASSUMED.used) + ASSUMED.spare,
      mongod: ASSUMED.members,
      'bus-admin': 1,
    });
    expect(row.memory_gib).toBeCloseTo(((row.processes['gateway'] ?? 0) * 100 + 3 * 1_024 + 50) / 1_024);
    expect(row.bottleneck).toBe('mongod');
  });

  it('adds what jobs cost, and grows with the keys', () => {
    const without = needed(1_000, { idle: {}, read: cost(1), job: cost(0) });
    const with_ = needed(1_000, { idle: {}, read: cost(1), job: cost(500) });
    expect(with_.dollars).toBeGreaterThan(without.dollars);
    expect(needed(2_000, { idle: {}, read: cost(1), job: cost(500) }).dollars).toBeGreaterThan(with_.dollars);
  });

  it('adds what each process costs without load, which asks for no further process', () => {
    const idle = { gateway: 400, mongod: 30, 'bus-admin': 2 };
    const without = needed(86_400, { idle: {}, read: cost(1), job: cost(0) });
    const with_ = needed(86_400, { idle, read: cost(1), job: cost(0) });
    expect(with_.processes).toEqual(without.processes);
    for (const [name, ms] of Object.entries(idle))
      expect((with_.cores[name] ?? 0) - (without.cores[name] ?? 0)).toBeCloseTo(
        ((without.processes[name] ?? 0) * ms) / 1_000 / ASSUMED.used,
      );
  });

  it('is what the page of docs shows', async () => {
    const root = join(import.meta.dirname, '..', '..');
    const measured = JSON.parse(await readFile(join(root, 'loadtest', 'capacity.json'), 'utf8'));
    expect(await readFile(join(root, 'docs', 'capacity.md'), 'utf8')).toBe(capacityPage(measured));
  });

  it('divides the costs of a run by what it did', () => {
    expect(costOf({ costs: cost(90) }, 30).cpu_ms).toEqual({ gateway: 3, mongod: 3, 'bus-admin': 0 });
  });
});

describe('what grows in a soak', () => {
  it('is the slope an hour after the system settled, the fastest first', () => {
    const minutes = (count: number) => count * 60_000;
    const samples = Array.from({ length: 9 }, (_none, index) => ({
      atMs: minutes(index),
      // The heap fills for three minutes, then stays; a row comes each minute.
      sample: { heap: Math.min(index, 3) * 100, rows: 10 + index },
    }));
    expect(growthOf(samples)).toEqual([
      { name: 'rows', from: 13, to: 18, per_hour: 60 },
      { name: 'heap', from: 300, to: 300, per_hour: 0 },
    ]);
  });
});
