import { howItEnded } from './child.js';

const FIRST_DELAY_MS = 250;
const LAST_DELAY_MS = 10_000;
const STEADY_MS = 30_000;

/**
 * Keeps one process: starts it, starts it again with back-off when it dies and `supervise` is set, and stops it for good.
 *
 * `spawn` returns a launched child and may be asynchronous; `whenUp` waits until the new process serves.
 * `onDied(name, how, delayMs, log)` is told of every unwanted end, `onChange` of every new process number.
 */
export function keep({ name, spawn, whenUp = async () => {}, supervise, graceMs, onDied, onChange }) {
  let child;
  let wanted = false;
  let deaths = 0;
  let timer;

  async function start() {
    wanted = true;
    const mine = await spawn();
    child = mine;
    if (!wanted) {
      // Stopped while it was being prepared.
      await mine.stop(graceMs);
      return;
    }
    const began = Date.now();
    onChange?.();
    void mine.exited.then((how) => {
      if (mine !== child || !wanted) return;
      if (Date.now() - began > STEADY_MS) deaths = 0;
      deaths += 1;
      if (!supervise) return;
      const delay = Math.min(FIRST_DELAY_MS * 2 ** (deaths - 1), LAST_DELAY_MS);
      onDied?.(name, howItEnded(how), delay, mine.log);
      timer = setTimeout(() => void start().catch(() => {}), delay);
    });
    await whenUp(mine);
  }

  return {
    name,
    start,
    get pid() {
      return child?.pid;
    },
    get log() {
      return child?.log;
    },
    said: (count) => child?.said(count) ?? [],
    deaths: () => deaths,
    lastEnd: () => child?.ended(),
    isAlive: () => child?.isAlive() ?? false,
    async stop(limitMs = graceMs) {
      wanted = false;
      clearTimeout(timer);
      await child?.stop(limitMs);
      onChange?.();
    },
    /** SIGKILL, and back when the process is gone. Under supervision it is started again by itself. */
    async kill() {
      await child?.kill();
    },
    async restart() {
      await this.stop();
      await start();
    },
    pause: () => void child?.signal('SIGSTOP'),
    resume: () => void child?.signal('SIGCONT'),
  };
}
