#!/usr/bin/env node
/**
 * `npm run drill`: copies a system under load by the commands of the Kubernetes jobs, restores it on new engines, and
 * runs every audit (docs/operating.md#the-restore-drill). With mongodump, mongorestore and nats on PATH it runs them;
 * without, it copies mongod's files and leaves the streams to be published again. `--approvals N` plans are signed
 * before the copy.
 */
import { ensureNode } from './lib/node-runtime.js';
import { createProgress } from './lib/progress.js';
import { isLane } from './test/lanes.js';

// Before the arguments are parsed: another Node restarts this program with its original arguments.
await ensureNode({ floor: [24, 9, 0], progress: createProgress() });

if (!isLane()) {
  const [option = '--approvals', count = '20', ...rest] = process.argv.slice(2);
  if (option !== '--approvals' || !/^[1-9]\d*$/.test(count) || rest.length > 0) {
    console.error('usage: npm run drill -- [--approvals N]');
    process.exit(2);
  }
  process.env.CDS_DRILL_APPROVALS = count;
  process.argv.splice(2, process.argv.length, 'tests/faults/restore.test');
}
await import('./test.js');
