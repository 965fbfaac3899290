#!/usr/bin/env node
/**
 * Part of `npm run generate`: alert rules, dashboards and docs/metrics.md, from the declared metrics. `--check` only
 * compares the files.
 */
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { REPOSITORY, writePrivate } from './lib/home.js';
import { observabilityFiles } from './lib/observability-files.js';

const files = await observabilityFiles();
const old = Object.entries(files).filter(([path, text]) => {
  const file = join(REPOSITORY, path);
  return !existsSync(file) || readFileSync(file, 'utf8') !== text;
});
for (const [path, text] of old) {
  if (process.argv[2] === '--check') console.log(`${path} is out of date: npm run generate`);
  else {
    mkdirSync(dirname(join(REPOSITORY, path)), { recursive: true });
    writePrivate(join(REPOSITORY, path), text, 0o644);
  }
}
process.exitCode = process.argv[2] === '--check' && old.length > 0 ? 1 : 0;
