import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, fstatSync } from 'node:fs';
import { type Home, linesFrom } from './home.ts';
import { isAlive, MARK, signal } from './process-table.ts';

export type Ended = { code?: number | null; signal?: NodeJS.Signals | null; error?: NodeJS.ErrnoException };
export type Child = ReturnType<typeof launch>;

// Stack frames are for the log; people read the message above them.
const STACK_LINE = /^\s+at /;
const running: Set<ChildProcess> = new Set();
// The safety net: a launcher that ends by an exception takes its children along.
process.on('exit', () => {
  for (const child of running) signal(child.pid, 'SIGKILL');
});

/** Starts a process of this home in a group of its own, so that Ctrl-C reaches only the launcher. */
export function launch({
  home,
  name,
  command,
  args,
  env,
  cwd,
}: {
  home: Home;
  name: string;
  command: string;
  args: readonly string[];
  env: NodeJS.ProcessEnv;
  cwd?: string;
}) {
  const log = home.openLog(name);
  const logBegins = fstatSync(log.fd).size;
  const child = spawn(command, args, {
    cwd,
    env: { ...env, [MARK]: home.root },
    detached: true,
    stdio: ['ignore', log.fd, log.fd],
  });
  closeSync(log.fd);
  // A forgotten child must not keep a test runner alive; whoever waits for its end references it again.
  child.unref();
  running.add(child);

  let end: Ended | undefined;
  const exited = new Promise<Ended>((resolve) => {
    child.once('exit', (code, by) => resolve({ code, signal: by }));
    child.once('error', (error) => resolve({ error }));
  }).then((how) => {
    running.delete(child);
    end = how;
    return how;
  });

  return {
    pid: child.pid,
    log: log.file,
    /** The last lines of this process, without those of earlier processes. */
    said: (count: number): string[] =>
      linesFrom(log.file, logBegins)
        .filter((line) => !STACK_LINE.test(line))
        .slice(-count),
    exited,
    ended: () => end,
    isAlive: () => end === undefined && isAlive(child.pid),
    signal: (name: NodeJS.Signals) => end === undefined && signal(child.pid, name),
    kill() {
      child.ref();
      signal(child.pid, 'SIGKILL');
      return exited;
    },
    async stop(graceMs: number): Promise<Ended> {
      if (end) return end;
      child.ref();
      signal(child.pid, 'SIGTERM');
      signal(child.pid, 'SIGCONT');
      const timer = setTimeout(() => signal(child.pid, 'SIGKILL'), graceMs);
      const how = await exited;
      clearTimeout(timer);
      return how;
    },
  };
}

export function howItEnded({ code, signal: by, error }: Ended): string {
  if (error) return error.code === 'ENOENT' ? 'its program is not there' : error.message;
  if (by === 'SIGILL') return 'illegal instruction';
  return by ? `signal ${by}` : `exit code ${code}`;
}
