#!/usr/bin/env node
/**
 * `npm run doctor`: says what is wrong with this machine and the system on it, and how to fix it. Exit code 1 when
 * something stops the system. It changes nothing, and needs Node alone.
 */
import { collectFacts } from './doctor/facts.js';
import { findingsOf } from './doctor/findings.js';
import { reportOf } from './doctor/report.js';
import { argumentsOf } from './lib/arguments.js';
import { printFailure } from './lib/failure.js';
import { createProgress } from './lib/progress.js';

async function main() {
  argumentsOf({ options: {} }, ['npm run doctor', 'CDS_HOME=/some/folder npm run doctor']);
  const progress = createProgress();
  progress.text('\n  Creator Distribution Service: is all well?\n\n');
  const findings = findingsOf(await collectFacts());
  progress.text(`${reportOf(findings, progress.paint)}\n`);
  process.exitCode = findings.some(({ level }) => level === 'stops') ? 1 : 0;
}

main().catch((error) => {
  printFailure(error);
  process.exit(1);
});
