/**
 * The state of processes. Signal 0 mistakes a zombie for a living process, so liveness is read from the process table.
 * Every child carries MARK in its environment with the home that started it, so that a later launcher finds exactly its
 * own leftovers.
 */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

type Marked = { pid: number; home: string };

export const MARK = 'CDS_LAUNCHED_FROM';

const TICKS = 100;

function fieldsOf(pid: number) {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

export function cpuMs(pid: number) {
  const fields = fieldsOf(pid);
  return ((Number(fields[11]) + Number(fields[12])) / TICKS) * 1_000;
}

export function isAlive(pid: number | undefined) {
  if (!pid) return false;
  try {
    if (process.platform === 'linux') return !'ZX'.includes(fieldsOf(pid)[0]);
    const state = execFileSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' }).trim();
    return state !== '' && !state.startsWith('Z');
  } catch {
    return false;
  }
}

/** Distinguishes a process from a later one with the same id. */
export function startedAt(pid: number) {
  try {
    if (process.platform === 'linux') {
      const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
      return `${boot}:${fieldsOf(pid)[19]}`;
    }
    return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim();
  } catch {
    return undefined;
  }
}

/** Living processes whose mark satisfies `matches`. */
function markedProcesses(matches: (home: string) => boolean) {
  const rows = process.platform === 'linux' ? rowsFromProc() : rowsFromPs();
  return rows.filter((row) => row.pid !== process.pid && matches(row.home) && isAlive(row.pid)).map(({ pid }) => pid);
}

/** Ends what was started from homes, and answers how many processes that were. */
export async function endMarked(matches: (home: string) => boolean, graceMs?: number) {
  const pids = markedProcesses(matches);
  await endProcesses(pids, graceMs);
  return pids.length;
}

function rowsFromProc(): Marked[] {
  const rows: Marked[] = [];
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const entry = readFileSync(`/proc/${name}/environ`, 'utf8')
        .split('\0')
        .find((variable) => variable.startsWith(`${MARK}=`));
      if (!entry) continue;
      rows.push({ pid: Number(name), home: entry.slice(MARK.length + 1) });
    } catch {
      // Another user's process, or one that ended while we looked.
    }
  }
  return rows;
}

function rowsFromPs(): Marked[] {
  const listing = execFileSync('ps', ['axeww', '-o', 'pid=,command='], {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  return listing.split('\n').flatMap((row) => {
    const found = row.match(new RegExp(`^\\s*(\\d+)\\s.*?\\s${MARK}=(.*?)(?=\\s[A-Za-z_][A-Za-z0-9_]*=|$)`));
    return found ? [{ pid: Number(found[1]), home: found[2] }] : [];
  });
}

export function signal(pid: number | undefined, name: NodeJS.Signals) {
  if (pid === undefined) return false;
  try {
    process.kill(pid, name);
    return true;
  } catch {
    return false;
  }
}

export async function waitUntilGone(pid: number, limitMs: number) {
  const end = Date.now() + limitMs;
  while (isAlive(pid)) {
    if (Date.now() > end) return false;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return true;
}

/**
 * Ends processes: SIGTERM first, SIGKILL after `graceMs`. A stopped process is resumed first, or it would not react.
 */
async function endProcesses(pids: readonly number[], graceMs = 5000) {
  for (const pid of pids) {
    signal(pid, 'SIGTERM');
    signal(pid, 'SIGCONT');
  }
  const gone = await Promise.all(pids.map((pid) => waitUntilGone(pid, graceMs)));
  const stubborn = pids.filter((_pid, index) => !gone[index]);
  for (const pid of stubborn) signal(pid, 'SIGKILL');
  await Promise.all(stubborn.map((pid) => waitUntilGone(pid, 5000)));
}
