#!/usr/bin/env node
/** `npm run capacity`: makes docs/capacity.md from loadtest/capacity.json; with `--measure` from new measurements. */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { argumentsOf } from './lib/arguments.js';
import { Failure, printFailure } from './lib/failure.js';
import { REPOSITORY } from './lib/home.js';
import { costOf } from './load/capacity-model.js';
import { capacityPage } from './load/capacity-page.js';

const MEASURED = join(REPOSITORY, 'loadtest', 'capacity.json');
const PAGE = join(REPOSITORY, 'docs', 'capacity.md');

/** @param {string} run */
function load(run) {
  const done = spawnSync(process.execPath, [join(REPOSITORY, 'tools', 'load.js'), run], { stdio: 'inherit' });
  if (done.status !== 0 && done.status !== 99)
    throw new Failure(`npm run load -- ${run} failed.`, [`npm run load -- ${run}`]);
  const measured = JSON.parse(readFileSync(join(REPOSITORY, 'loadtest', 'results', `load-${run}.json`), 'utf8'));
  const { fails } = measured.metrics.checks.values;
  // A limit of time that was missed is another matter: costs are in CPU.
  if (fails > 0)
    throw new Failure(`npm run load -- ${run} got ${fails} wrong answers, so its costs mean nothing.`, [
      `npm run load -- ${run}`,
    ]);
  return measured;
}

function measure() {
  const browse = load('browse');
  const jobs = load('main-job');
  // An idle system is measured by the bench, alone and for longer; what was found there stays.
  const { idle_measured_on, idle } = JSON.parse(readFileSync(MEASURED, 'utf8'));
  const measured = {
    measured_on: `on ${new Date().toISOString().slice(0, 10)}, with two cores for everything, k6 included`,
    idle_measured_on,
    idle,
    read: costOf(browse, browse.metrics.http_reqs.values.count),
    job: costOf(jobs, jobs.metrics.iterations.values.count),
  };
  writeFileSync(MEASURED, `${JSON.stringify(measured, null, 2)}\n`);
}

try {
  const { values } = argumentsOf({ options: { measure: { type: 'boolean' } } }, ['npm run capacity -- [--measure]']);
  if (values.measure) measure();
  writeFileSync(PAGE, capacityPage(JSON.parse(readFileSync(MEASURED, 'utf8'))));
} catch (error) {
  printFailure(error);
  process.exitCode = 1;
}
