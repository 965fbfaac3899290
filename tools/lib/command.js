import { spawn, spawnSync } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** @type {Set<import('node:child_process').ChildProcess>} */
const running = new Set();
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});
const SBIN = ['/usr/local/sbin', '/usr/sbin', '/sbin'];

/**
 * Every executable of this name on PATH and in the sbin folders, where Debian puts servers.
 * @param {string} name
 */
export function findOnPath(name) {
  const folders = [...(process.env.PATH ?? '').split(delimiter), ...SBIN].filter(Boolean);
  return [...new Set(folders)].map((folder) => join(folder, name)).filter(isExecutable);
}

/** @param {string} file */
export function isExecutable(file) {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

/**
 * npm passes its own state to scripts; a nested npm would take it for its own.
 * @param {NodeJS.ProcessEnv} more
 */
export function plainEnvironment(more = {}) {
  const env = { ...process.env, ...more };
  for (const name of Object.keys(env)) {
    if (/^npm_(lifecycle|package|command|config_local_prefix|config_prefix|execpath|node_execpath)/.test(name))
      delete env[name];
  }
  delete env.INIT_CWD;
  return env;
}

/**
 * Runs a command to its end: `{ code, output, reason }`. `reason` is undefined on success, else one line that says why.
 * `onLine` sees each line of output as it comes.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, onLine?: (line: string) => void, limitMs?: number }} options
 * @returns {Promise<{ code: number, output: string, lines: string[], reason: string | undefined }>}
 */
export function run(command, args, { cwd, env, onLine, limitMs = 15 * 60_000 } = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd, env: env ?? plainEnvironment(), stdio: ['ignore', 'pipe', 'pipe'] });
    running.add(child);
    /** @type {string[]} */
    const lines = [];
    let rest = '';
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      child.kill('SIGKILL');
    }, limitMs);
    /** @param {string} chunk */
    const take = (chunk) => {
      const parts = (rest + chunk).split(/\r?\n/);
      rest = parts.pop() ?? '';
      for (const part of parts) {
        lines.push(part);
        if (part.trim()) onLine?.(part.trim());
      }
    };
    child.stdout.setEncoding('utf8').on('data', take);
    child.stderr.setEncoding('utf8').on('data', take);
    child.once('error', (/** @type {NodeJS.ErrnoException} */ error) => {
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

/**
 * Runs a command on this terminal, to its end.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<void>}
 */
export function runAttached(command, args, env) {
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

/**
 * The first line a program prints for `--version`, or the reason why it printed none.
 * @param {string} file
 * @returns {{ line?: string, reason?: string }}
 */
export function versionLine(file) {
  const result = spawnSync(file, ['--version'], { encoding: 'utf8', timeout: 20_000 });
  if (result.signal === 'SIGILL') return { reason: 'this processor lacks instructions it needs (AVX)' };
  const error = /** @type {NodeJS.ErrnoException | undefined} */ (result.error);
  if (error) return { reason: `does not run (${error.code ?? error.message})` };
  const line = `${result.stdout}\n${result.stderr}`.trim().split('\n')[0];
  return result.status === 0 ? { line } : { reason: `--version failed: ${line}` };
}

/**
 * @param {string | undefined} text
 * @returns {number[] | undefined}
 */
export function parseVersion(text) {
  const found = /(\d+)\.(\d+)\.(\d+)/.exec(text ?? '');
  return found ? found.slice(1, 4).map(Number) : undefined;
}

/**
 * @param {readonly number[]} version
 * @param {readonly number[]} floor
 */
export function atLeast(version, floor) {
  for (let index = 0; index < floor.length; index += 1) {
    if (version[index] !== floor[index]) return version[index] > floor[index];
  }
  return true;
}
