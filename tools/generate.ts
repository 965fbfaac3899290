/**
 * Part of `npm run generate`: the users of the bus, from who calls whom; docs/metrics.md, from the declared metrics;
 * docs/configuration.md, from the schemas that read the environment. `--check` only compares the files.
 */
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { busFiles } from './lib/deployment.ts';
import { configurationPage, metricPage, type Variable } from './lib/generated-pages.ts';
import { REPOSITORY, writePrivate } from './lib/home.ts';
import { loadContracts } from './lib/service-environment.ts';

const { METRICS, AREAS } = await import('../libs/service/dist/telemetry/declared-metrics.js');
const contracts = await loadContracts();
const variables: Record<string, Variable[]> = {};
for (const name of [...contracts.services, contracts.busAdmin])
  variables[name] = (await import(`@cds/${name}/config`)).variables;

const files = {
  ...busFiles(contracts),
  'docs/metrics.md': metricPage(METRICS, AREAS, contracts),
  'docs/configuration.md': configurationPage(variables),
};
for (const [path, text] of Object.entries(files)) {
  const file = join(REPOSITORY, path);
  if (existsSync(file) && readFileSync(file, 'utf8') === text) continue;
  if (process.argv[2] === '--check') {
    console.log(`${path} is out of date: npm run generate`);
    process.exitCode = 1;
  } else {
    mkdirSync(dirname(file), { recursive: true });
    writePrivate(file, text, 0o644);
  }
}
