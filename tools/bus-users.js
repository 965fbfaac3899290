#!/usr/bin/env node
/**
 * Part of `npm run generate`: the users of the bus for docker compose and Kubernetes, from who calls whom.
 * `--check` only compares the files.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { busFiles, writeFiles } from './lib/deployment.js';
import { REPOSITORY } from './lib/home.js';
import { loadContracts } from './lib/service-environment.js';

const files = busFiles(await loadContracts());
if (process.argv[2] !== '--check') writeFiles(files);
else {
  const old = Object.entries(files).filter(([path, text]) => readFileSync(join(REPOSITORY, path), 'utf8') !== text);
  for (const [path] of old) console.log(`${path} is out of date: npm run generate`);
  process.exitCode = old.length === 0 ? 0 : 1;
}
