#!/usr/bin/env node
/**
 * Part of `npm run generate`: docs/configuration.md, from the schemas that read the environment. `--check` only
 * compares the page.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { configurationPage } from './lib/configuration-page.js';
import { writeFiles } from './lib/deployment.js';
import { REPOSITORY } from './lib/home.js';
import { loadContracts } from './lib/service-environment.js';

const PAGE = 'docs/configuration.md';

const { services, busAdmin } = await loadContracts();
/** @type {Record<string, import('./lib/configuration-page.js').Variable[]>} */
const ofProcess = {};
for (const name of [...services, busAdmin]) ofProcess[name] = (await import(`@cds/${name}/config`)).variables;

const page = configurationPage(ofProcess);
if (process.argv[2] !== '--check') writeFiles({ [PAGE]: page });
else if (readFileSync(join(REPOSITORY, PAGE), 'utf8') !== page) {
  console.log(`${PAGE} is out of date: npm run generate`);
  process.exitCode = 1;
}
