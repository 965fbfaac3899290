import { type Child, howItEnded } from './child.ts';

export type Keeper = ReturnType<typeof keep>;
/** Who hears of the end and of the change of a process; without `supervise` a dead one is not restarted. */
export type Supervision = { supervise?: boolean; onDied?: OnDied; onChange?: () => void };
export type OnDied = (name: string, how: string, delayMs: number, log: string) => void;

const FIRST_DELAY_MS = 250;
const LAST_DELAY_MS = 10_000;
const STEADY_MS = 30_000;

/**
 * Keeps one process running: starts it, restarts it with back-off when it dies and `supervise` is set, and stops it for
 * good. `spawn` returns a launched child and may be asynchronous; `whenUp` waits until the new process serves. `onDied`
 * is called for every unwanted end, `onChange` for every new process id.
 */
export function keep({
  name,
  spawn,
  whenUp = async () => {},
  supervise,
  graceMs,
  onDied,
  onChange,
}: Supervision & {
  name: string;
  spawn: () => Child | Promise<Child>;
  whenUp?: (child: Child) => Promise<unknown>;
  graceMs: number;
}) {
  let child: Child | undefined;
  let wanted = false;
  let deaths = 0;
  let timer: NodeJS.Timeout | undefined;

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
    said: (count: number): string[] => child?.said(count) ?? [],
    deaths: () => deaths,
    lastEnd: () => child?.ended(),
    isAlive: () => child?.isAlive() ?? false,
    async stop(limitMs: number = graceMs) {
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
