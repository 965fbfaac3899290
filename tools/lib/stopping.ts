import type { Home } from './home.ts';
import type { Phase } from './lock.ts';
import { endProcesses, processesOf } from './process-table.ts';
import type { Progress } from './progress.ts';
import { STOP_GRACE_MS } from './services.ts';

export type Stop = { label: string; stop: () => Promise<unknown> };

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
    const rest = processesOf(home.root).map(({ pid }) => pid);
    await endProcesses(rest, STOP_GRACE_MS);
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
