/** `npm run doctor`: says what is wrong with this machine and the system, and how to fix it. It changes nothing. */
import { collectFacts } from './doctor/facts.ts';
import { findingsOf } from './doctor/findings.ts';
import { reportOf } from './doctor/report.ts';
import { argumentsOf } from './lib/arguments.ts';
import { runTool } from './lib/failure.ts';
import { createProgress } from './lib/progress.ts';

async function main() {
  argumentsOf({ options: {} }, ['npm run doctor', 'CDS_HOME=/some/folder npm run doctor']);
  const progress = createProgress();
  progress.text('\n  Creator Distribution Service: is all well?\n\n');
  const findings = findingsOf(await collectFacts());
  progress.text(`${reportOf(findings, progress.paint)}\n`);
  process.exitCode = findings.some(({ level }) => level === 'stops') ? 1 : 0;
}

runTool(main);
