#!/usr/bin/env node
/**
 * `npm run test:rolling`: both processes of each service are replaced by the next version and back, one after the
 * other, while callers send 300 requests a second, in 20 rounds; no request may fail. `--rate N` and `--rounds N`
 * change that.
 */
import { ensureNode } from './lib/node-runtime.js';
import { createProgress } from './lib/progress.js';
import { isLane } from './test/lanes.js';

// Before the arguments are parsed: another Node restarts this program with its original arguments.
await ensureNode({ floor: [24, 9, 0], progress: createProgress() });

if (!isLane()) setUp(process.argv.slice(2));
await import('./test.js');

/**
 * Hands the options on to the suite, by the environment, which the lane that runs it inherits.
 * @param {readonly string[]} words
 */
function setUp(words) {
  /** @type {Record<string, number>} */
  const options = { rounds: 20, rate: 300 };
  for (let index = 0; index < words.length; index += 2) {
    const name = words[index].replace(/^--/, '');
    const value = Number(words[index + 1]);
    if (!(name in options) || !Number.isInteger(value) || value < 1) {
      console.error('usage: npm run test:rolling -- [--rounds N] [--rate N]');
      process.exit(2);
    }
    options[name] = value;
  }
  process.env.CDS_ROLLING_ROUNDS = String(options.rounds);
  process.env.CDS_ROLLING_RPS = String(options.rate);
  process.argv.splice(2, process.argv.length, 'tests/system/rolling-restart');
}
