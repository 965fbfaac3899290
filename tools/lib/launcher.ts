/** The only launcher of a home: it takes it over, with nothing left of an earlier one, and stops what it started. */
import { closeSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { Failure } from './failure.ts';
import { type Home, readJson, shortPath, writeJson } from './home.ts';
import { endMarked, isAlive, startedAt, waitUntilGone } from './process-table.ts';
import type { Progress } from './progress.ts';
import { runtimeFile } from './runtime-file.ts';
import { STOP_GRACE_MS } from './services.ts';

type Phase = 'starting' | 'running' | 'stopping';
type Holder = { pid?: number; started?: string; phase?: Phase };

/** One launcher per home. The holder's start time tells it from a later process of the same id. */
function lockHome(
  home: Home,
): { holder?: undefined; report: (phase: Phase) => void; release: () => void } | { holder: Holder } {
  const file = home.at('launcher.lock');
  for (let attempt = 0; attempt < 5; attempt += 1) {
    try {
      const fd = openSync(file, 'wx', 0o600);
      writeFileSync(fd, JSON.stringify({ pid: process.pid, started: startedAt(process.pid), phase: 'starting' }));
      closeSync(fd);
      return {
        /** Records what a second start may say of this one: starting, running or stopping. */
        report: (phase: Phase) => writeJson(file, { pid: process.pid, started: startedAt(process.pid), phase }),
        release() {
          if (readJson<Holder>(file)?.pid === process.pid) rmSync(file, { force: true });
        },
      };
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
    const holder = readJson<Holder>(file);
    if (holder && isAlive(holder.pid) && startedAt(holder.pid ?? 0) === holder.started) return { holder };
    rmSync(file, { force: true });
  }
  return { holder: readJson<Holder>(file) ?? {} };
}

const STOPPING_LIMIT_MS = 60_000;

/** The lock on the home; undefined when another launcher holds it, which is then reported with its address. */
export async function takeHome({ home, fresh, progress }: { home: Home; fresh: boolean; progress: Progress }) {
  for (;;) {
    const lock = lockHome(home);
    if (!lock.holder) return lock;
    const { pid, phase } = lock.holder;
    if (phase === 'stopping') {
      await progress.step('Waiting', async (say) => {
        say(`for process ${pid}, which is stopping`);
        if (pid !== undefined) await waitUntilGone(pid, STOPPING_LIMIT_MS);
        return 'the other launcher has stopped';
      });
      continue;
    }
    const url = runtimeFile(home).read()?.app_url;
    const where = phase === 'running' && url ? `It runs already at ${url}` : 'It is being started already';
    if (fresh) {
      const fixes = ['Stop it with Ctrl-C where it runs', `kill ${pid}`, 'CDS_HOME=/another/folder npm start'];
      throw new Failure(`${where}, so its data cannot be dropped.`, fixes);
    }
    progress.text(`  ${where} (process ${pid}, home ${shortPath(home.root)}).\n\n`);
    return undefined;
  }
}

/** A launcher that was killed leaves its children running; they hold the data and the ports. */
export async function endLeftovers({ home, progress }: { home: Home; progress: Progress }) {
  runtimeFile(home).remove();
  const count = await endMarked((from) => from === home.root, STOP_GRACE_MS);
  if (count > 0) progress.note('Clean-up', `ended what an earlier launcher left behind: ${count}`);
}

type Stop = { label: string; stop: () => Promise<unknown> };

const IMPATIENT_AFTER_MS = 2000;
const EXIT_CODES = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 };

/**
 * Stops what was started, latest first, and then whatever of this home still runs: a process may have started just as
 * the signal came. Interrupting a running system is its normal end and exits with 0; before that, with the code of the
 * signal.
 */
export function createStopping({
  progress,
  home,
  lock,
  onBegin,
}: {
  progress: Progress;
  home: Home;
  lock: { report: (phase: Phase) => void; release: () => void };
  onBegin: () => void;
}) {
  const stops: Stop[] = [];
  let askedAt = 0;
  let running = false;

  async function stopAll(exitCode: number) {
    lock.report('stopping');
    if (stops.length > 0) progress.text('\n');
    for (const { label, stop } of stops.reverse()) {
      await progress.step('Stopping', async (say) => {
        say(label);
        await stop();
        return label;
      });
    }
    await endMarked((from) => from === home.root, STOP_GRACE_MS);
    lock.release();
    if (stops.length > 0) progress.text('\n');
    process.exit(exitCode);
  }

  const begin = (exitCode: number) => {
    // npm and the terminal may both pass on the same Ctrl-C; a later one means that the user wants out now.
    if (askedAt && Date.now() - askedAt > IMPATIENT_AFTER_MS) process.exit(1);
    if (askedAt) return;
    askedAt = Date.now();
    onBegin();
    stopAll(exitCode).catch(() => process.exit(1));
  };
  for (const [name, code] of Object.entries(EXIT_CODES)) process.on(name, () => begin(running ? 0 : code));

  return {
    begin,
    hasBegun: () => askedAt > 0,
    /** From here on an interruption is not a failure. */
    systemRuns() {
      running = true;
    },
    add: (label: string, stop: Stop['stop']) => void stops.push({ label, stop }),
    /** For what others depend on and what must therefore stop last, however late it was started. */
    addLast: (label: string, stop: Stop['stop']) => void stops.unshift({ label, stop }),
  };
}
