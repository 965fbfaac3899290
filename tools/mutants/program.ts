/** Runs a program that cleans up after itself when it is asked to end, and so is never killed at once. */
import { type ChildProcess, spawn } from 'node:child_process';

const KEPT_LINES = 200;
const SIGNALS: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP'];

let stopping: NodeJS.Signals | null = null;
let running: ChildProcess | undefined;
for (const signal of SIGNALS)
  process.on(signal, () => {
    stopping = signal;
    if (running === undefined) process.exit(1);
    running.kill('SIGTERM');
  });

/**
 * Runs a script of the project to its end, or asks it to end at the limit, and returns the last lines that it said.
 * Ends this process when it was itself asked to end meanwhile.
 */
export async function runProgram(
  args: readonly string[],
  { cwd, env = process.env, limitMs }: { cwd: string; env?: NodeJS.ProcessEnv; limitMs: number },
): Promise<string[]> {
  const child = spawn(process.execPath, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  running = child;
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text) => {
      said = (said + text).split('\n').slice(-KEPT_LINES).join('\n');
    });
  const limit = setTimeout(() => child.kill('SIGTERM'), limitMs);
  await new Promise((resolve, reject) => child.once('error', reject).once('close', resolve));
  clearTimeout(limit);
  running = undefined;
  if (stopping !== null) process.exit(1);
  return said.split('\n').filter((line) => line.trim());
}
