import { howItEnded } from './child.js';

/**
 * @typedef {ReturnType<typeof keep>} Keeper
 * @typedef {(name: string, how: string, delayMs: number, log: string) => void} OnDied
 */

const FIRST_DELAY_MS = 250;
const LAST_DELAY_MS = 10_000;
const STEADY_MS = 30_000;

/**
 * Keeps one process running: starts it, restarts it with back-off when it dies and `supervise` is set, and stops it for
 * good. `spawn` returns a launched child and may be asynchronous; `whenUp` waits until the new process serves. `onDied`
 * is called for every unwanted end, `onChange` for every new process id.
 * @param {{
 *   name: string,
 *   spawn: () => import('./child.js').Child | Promise<import('./child.js').Child>,
 *   whenUp?: (child: import('./child.js').Child) => Promise<unknown>,
 *   supervise?: boolean,
 *   graceMs: number,
 *   onDied?: OnDied,
 *   onChange?: () => void,
 * }} options
 */
export function keep({ name, spawn, whenUp = async () => {}, supervise, graceMs, onDied, onChange }) {
  /** @type {import('./child.js').Child | undefined} */
  let child;
  let wanted = false;
  let deaths = 0;
  /** @type {NodeJS.Timeout | undefined} */
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
    /**
     * @param {number} count
     * @returns {string[]}
     */
    said: (count) => child?.said(count) ?? [],
    deaths: () => deaths,
    lastEnd: () => child?.ended(),
    isAlive: () => child?.isAlive() ?? false,
    /** @param {number} limitMs */
    async stop(limitMs = graceMs) {
      wanted = false;
      clearTimeout(timer);
      await child?.stop(limitMs);
      onChange?.();
    },
    /** SIGKILL; returns when the process is gone. Under supervision it is restarted. */
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
