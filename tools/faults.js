#!/usr/bin/env node
/**
 * `npm run test:faults`: 200 kill -9 at random moments and each failpoint of the signing saga five times, on real engines. The seed is printed;
 * `--seed N` replays it, `--kills N` and `--rounds N` change the size.
 */
import { ensureNode } from './lib/node-runtime.js';
import { createProgress } from './lib/progress.js';

// Before the arguments are taken apart: another Node starts this program again with them as they were given.
await ensureNode({ floor: [24, 9, 0], progress: createProgress() });

const options = { seed: Math.floor(Math.random() * 1e9), kills: 200, rounds: 5 };
const words = process.argv.slice(2);
for (let index = 0; index < words.length; index += 2) {
  const name = words[index].replace(/^--/, '');
  const value = Number(words[index + 1]);
  if (!(name in options) || !Number.isInteger(value) || value < 0) {
    console.error('usage: npm run test:faults -- [--seed N] [--kills N] [--rounds N]');
    process.exit(2);
  }
  options[name] = value;
}
console.log(`seed ${options.seed}: repeat with npm run test:faults -- --seed ${options.seed}`);
process.env.CDS_FAULT_SEED = String(options.seed);
process.env.CDS_FAULT_KILLS = String(options.kills);
process.env.CDS_FAULT_ROUNDS = String(options.rounds);
process.argv.splice(2, process.argv.length, 'tests/faults');
await import('./test.js');
