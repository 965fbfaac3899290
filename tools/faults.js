#!/usr/bin/env node
/**
 * `npm run test:faults`: 200 kill -9, a death five times and a stop twice at each failpoint of the signing saga, and
 * 20 times each a frozen process, a frozen primary, a step-down, a killed mongod, a killed nats-server, a primary
 * that is cut off, a slow primary, a clock that is minutes off, a lost stream, a lost consumer and a locked document,
 * at random moments on real engines. Then it kills 60 processes while others follow the events of what agents write,
 * and lets Stripe fail in every way five times while orders are paid by card. It prints the seed; `--seed N` replays
 * it, an option per kind changes its count, `--cluster 1` runs it on two of each service and three nats-servers, and
 * `--report FILE` keeps the counts and figures.
 */
import { resolve } from 'node:path';
import { ensureNode } from './lib/node-runtime.js';
import { createProgress } from './lib/progress.js';
import { isLane } from './test/lanes.js';

// Before the arguments are parsed: another Node restarts this program with its original arguments.
await ensureNode({ floor: [24, 9, 0], progress: createProgress() });

if (!isLane()) setUp(process.argv.slice(2));
await import('./test.js');

/**
 * Hands the options on to the suites, by the environment, which the lane that runs them inherits.
 * @param {readonly string[]} words
 */
function setUp(words) {
  /** @type {Record<string, number>} */
  const options = {
    seed: Math.floor(Math.random() * 1e9),
    kills: 200,
    rounds: 5,
    stops: 2,
    freezes: 20,
    'step-downs': 20,
    'member-kills': 20,
    'bus-kills': 20,
    cuts: 20,
    slowdowns: 20,
    skews: 20,
    streams: 20,
    consumers: 20,
    locks: 20,
    'feed-kills': 60,
    stripe: 5,
    cluster: 0,
  };
  for (let index = 0; index < words.length; index += 2) {
    const name = words[index].replace(/^--/, '');
    const text = words[index + 1];
    if (name === 'report' && text) {
      process.env.CDS_FAULT_REPORT = resolve(text);
      continue;
    }
    const value = Number(text);
    if (!(name in options) || !Number.isInteger(value) || value < 0) {
      const counts = Object.keys(options).map((option) => `[--${option} N]`);
      console.error(`usage: npm run test:faults -- ${counts.join(' ')} [--report FILE]`);
      process.exit(2);
    }
    options[name] = value;
  }
  const counts = Object.entries(options).map(([name, value]) => `--${name} ${value}`);
  console.log(`seed ${options.seed}: repeat with npm run test:faults -- ${counts.join(' ')}`);
  for (const [name, value] of Object.entries(options))
    process.env[`CDS_FAULT_${name.toUpperCase().replaceAll('-', '_')}`] = String(value);
  // Without kills, followers have nothing to withstand.
  const suites = [
    'faults',
    ...(options['feed-kills'] > 0 ? ['feed'] : []),
    ...(options.stripe > 0 ? ['card'] : []),
  ];
  process.argv.splice(2, process.argv.length, `tests/faults/(${suites.join('|')})\\.test`);
}
