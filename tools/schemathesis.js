#!/usr/bin/env node
/**
 * `npm run test:schemathesis`: Schemathesis against a running system, by the OpenAPI document, with fifty keys and
 * 10,000 cases. It needs Python 3.10 with venv, and installs the pinned version once into the cache.
 * CDS_SCHEMATHESIS_SEED and CDS_SCHEMATHESIS_CASES change the seed and the number of cases.
 */
import { join } from 'node:path';
import { printFailure } from './lib/failure.js';
import { ensureNode } from './lib/node-runtime.js';
import { createProgress } from './lib/progress.js';
import { ensurePackage, hasPython } from './lib/python-package.js';

const SCHEMATHESIS = { name: 'schemathesis', version: '4.32.5' };

// Before the arguments are parsed: another Node restarts this program with its original arguments.
const progress = createProgress();
await ensureNode({ floor: [24, 9, 0], progress });

try {
  await progress.step('Schemathesis', async () => {
    if (!hasPython()) throw new Error('Schemathesis needs Python 3.10 or newer with venv.');
    process.env.CDS_SCHEMATHESIS = join(ensurePackage(SCHEMATHESIS), 'schemathesis');
    return SCHEMATHESIS.version;
  });
} catch (error) {
  printFailure(error);
  process.exit(1);
}
process.argv.splice(2, process.argv.length, 'tests/fuzz/schemathesis');
await import('./test.js');
