import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { accessSync, constants, createReadStream, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { pipeline } from 'node:stream/promises';

const running: Set<ChildProcess> = new Set();
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});
const SBIN = ['/usr/local/sbin', '/usr/sbin', '/sbin'];

export function findOnPath(name: string) {
  const folders = [...(process.env.PATH ?? '').split(delimiter), ...SBIN].filter(Boolean);
  return [...new Set(folders)].map((folder) => join(folder, name)).filter(isExecutable);
}

export function isExecutable(file: string) {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

/**
 * npm passes its own state to scripts; a nested npm would take it for its own.
 */
export function plainEnvironment(more: NodeJS.ProcessEnv = {}) {
  const env = { ...process.env, ...more };
  for (const name of Object.keys(env)) {
    if (/^npm_(lifecycle|package|command|config_local_prefix|config_prefix|execpath|node_execpath)/.test(name))
      delete env[name];
  }
  delete env.INIT_CWD;
  return env;
}

/** Runs a command to its end. `reason` is undefined on success, else one line that says why. */
export function run(
  command: string,
  args: readonly string[],
  {
    cwd,
    env,
    onLine,
    limitMs = 15 * 60_000,
  }: { cwd?: string; env?: NodeJS.ProcessEnv; onLine?: (line: string) => void; limitMs?: number } = {},
): Promise<{ code: number; output: string; lines: string[]; reason: string | undefined }> {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd, env: env ?? plainEnvironment(), stdio: ['ignore', 'pipe', 'pipe'] });
    running.add(child);
    const lines: string[] = [];
    let rest = '';
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      child.kill('SIGKILL');
    }, limitMs);
    const take = (chunk: string) => {
      const parts = (rest + chunk).split(/\r?\n/);
      rest = parts.pop() ?? '';
      for (const part of parts) {
        lines.push(part);
        if (part.trim()) onLine?.(part.trim());
      }
    };
    child.stdout.setEncoding('utf8').on('data', take);
    child.stderr.setEncoding('utf8').on('data', take);
    child.once('error', (error: NodeJS.ErrnoException) => {
      clearTimeout(timer);
      running.delete(child);
      resolve({
        code: -1,
        output: '',
        lines,
        reason: error.code === 'ENOENT' ? `${command} is not installed` : error.message,
      });
    });
    child.once('close', (code, by) => {
      clearTimeout(timer);
      running.delete(child);
      if (rest) lines.push(rest);
      const said = lines.filter((line) => line.trim());
      const why = late
        ? `no end after ${limitMs / 1000} s`
        : (said.at(-1) ?? (by ? `signal ${by}` : `exit code ${code}`));
      resolve({
        code: code ?? -1,
        output: lines.join('\n'),
        lines,
        reason: code === 0 ? undefined : why.trim().slice(0, 160),
      });
    });
  });
}

export function runAttached(command: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<void> {
  return new Promise((resolve) => {
    const child = spawn(command, args, { stdio: 'inherit', env });
    running.add(child);
    const done = () => {
      running.delete(child);
      resolve();
    };
    child.once('close', done).once('error', done);
  });
}

/** The first line a program prints for `--version`, or the reason why it printed none. */
export function versionLine(file: string): { line?: string; reason?: string } {
  const result = spawnSync(file, ['--version'], { encoding: 'utf8', timeout: 20_000 });
  if (result.signal === 'SIGILL') return { reason: 'this processor lacks instructions it needs (AVX)' };
  const error = result.error as NodeJS.ErrnoException | undefined;
  if (error) return { reason: `does not run (${error.code ?? error.message})` };
  const line = `${result.stdout}\n${result.stderr}`.trim().split('\n')[0];
  return result.status === 0 ? { line } : { reason: `--version failed: ${line}` };
}

export function parseVersion(text: string | undefined): number[] | undefined {
  const found = /(\d+)\.(\d+)\.(\d+)/.exec(text ?? '');
  return found ? found.slice(1, 4).map(Number) : undefined;
}

export function atLeast(version: readonly number[], floor: readonly number[]) {
  for (let index = 0; index < floor.length; index += 1) {
    if (version[index] !== floor[index]) return version[index] > floor[index];
  }
  return true;
}

export async function sha256(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file, { highWaterMark: 1024 * 1024 }), hash);
  return hash.digest('hex');
}
