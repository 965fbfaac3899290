/**
 * `npm run doctor`: says what is wrong with this machine and the system, and how to fix it. It changes nothing and
 * needs nothing but Node. What a start lacks, `npm start` says itself; what a running gateway sees, its checks say.
 */
import { accessSync, constants, existsSync, statfsSync, statSync } from 'node:fs';
import { totalmem } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { type Facts, type Finding, findingsOf } from './doctor/findings.ts';
import { argumentsOf } from './lib/arguments.ts';
import { runTool } from './lib/failure.ts';
import { REPOSITORY, readJson, shortPath } from './lib/home.ts';
import { isAlive } from './lib/process-table.ts';
import { createProgress, type Progress } from './lib/progress.ts';
import type { Runtime } from './lib/runtime-file.ts';

type System = NonNullable<Facts['system']>;

/** Without its database the gateway answers after the 8 s that the driver looks for a primary. */
const CHECKS_MS = 10_000;
const PRIVATE = ['secrets.json', 'runtime.json', 'mongod.key'];
const LABEL_WIDTH = 16;
const MARKS = { well: ['✓', 32], look: ['!', 33], stops: ['✗', 31], unknown: ['·', 2] } as const;

async function main() {
  argumentsOf({ options: {} }, ['npm run doctor', 'CDS_HOME=/some/folder npm run doctor']);
  const progress = createProgress();
  progress.text('\n  Creator Distribution Service: is all well?\n\n');
  const path = resolve(process.env.CDS_HOME || join(REPOSITORY, '.cds'));
  const runtime = may(() => readJson<Runtime>(join(path, 'runtime.json')));
  const system = runtime ? await systemFacts(runtime) : null;
  const findings = findingsOf({ memoryBytes: totalmem(), home: homeFacts(path), system });
  progress.text(`${reportOf(findings, progress.paint)}\n`);
  return findings.some(({ level }) => level === 'stops') ? 1 : 0;
}

/** What work finds; undefined when this user may not. */
function may<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

function homeFacts(path: string): Facts['home'] {
  const exists = existsSync(path);
  const place = nearest(path);
  const stat = statSync(place);
  const { bavail, bsize } = statfsSync(place);
  const isOpen = (file: string) => existsSync(file) && (statSync(file).mode & 0o077) !== 0;
  const secrets = join(path, 'secrets.json');
  return {
    path: shortPath(path),
    exists,
    isFolder: stat.isDirectory(),
    isOurs: process.getuid === undefined || stat.uid === process.getuid() || process.getuid() === 0,
    isWritable: may(() => accessSync(place, constants.W_OK | constants.X_OK) ?? true) ?? false,
    mode: exists ? stat.mode & 0o777 : 0o700,
    open: PRIVATE.filter((name) => isOpen(join(path, name))),
    freeBytes: bavail * bsize,
    hasData: existsSync(join(path, 'mongo')) || existsSync(join(path, 'mongo-1')),
    secrets: !existsSync(secrets) ? 'absent' : may(() => readJson(secrets)) === undefined ? 'unreadable' : 'read',
  };
}

const nearest = (path: string): string => (existsSync(path) ? path : nearest(dirname(path)));

async function systemFacts({ app_url: url, ops_url: opsUrl, ops_token: token, processes }: Runtime): Promise<System> {
  const { launcher, ...others } = processes;
  const dead = Object.entries(others)
    .filter(([, pids]) => [pids].flat().some((pid) => pid !== null && !isAlive(pid)))
    .map(([name]) => name);
  return { url, isLaunched: isAlive(launcher), dead, checks: await askedChecks(opsUrl, token) };
}

async function askedChecks(opsUrl: string, token: string): Promise<System['checks']> {
  try {
    const headers = { authorization: `Bearer ${token}` };
    const answer = await fetch(`${opsUrl}/checks`, { headers, signal: AbortSignal.timeout(CHECKS_MS) });
    return answer.ok ? ((await answer.json()) as { checks: System['checks'] }).checks : answer.status;
  } catch (error) {
    return error.cause?.message ?? error.message;
  }
}

/** One line for each finding with its remedies below, then what it comes to. */
function reportOf(findings: readonly Finding[], paint: Progress['paint']) {
  const lines = findings.flatMap(({ subject, level, says, help }) => {
    const [mark, colour] = MARKS[level];
    const remedies = help.map((one, index) => `      ${help.length > 1 ? `${index + 1}. ` : ''}${one}`);
    return [`  ${paint(colour, mark)} ${subject.padEnd(LABEL_WIDTH)} ${says}`, ...remedies];
  });
  const count = (level: Finding['level']) => findings.filter((one) => one.level === level).length;
  const stopping = count('stops') === 0 ? 'Nothing stops the system.' : `Stops the system (✗): ${count('stops')}.`;
  const looking = count('look') === 0 ? '' : ` To be looked at (!): ${count('look')}.`;
  return `${lines.join('\n')}\n\n  ${stopping}${looking}\n`;
}

runTool(main);
