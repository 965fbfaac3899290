import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { bundleServices } from './bundle.ts';
import { plainEnvironment, run } from './command.ts';
import { Failure } from './failure.ts';
import { REPOSITORY, readJson } from './home.ts';
import type { Say } from './progress.ts';

/** Installs what the lockfile names when something else is installed. */
export async function ensureDependencies(say: Say, { offline = false }: { offline?: boolean } = {}) {
  const missing = whatIsMissing();
  if (!missing) return 'as the lockfile says';
  say(`npm ci, because ${missing}`);
  const npm = await run(
    'npm',
    ['ci', '--ignore-scripts', '--no-audit', '--no-fund', ...(offline ? ['--offline'] : [])],
    {
      cwd: REPOSITORY,
      env: plainEnvironment(),
    },
  );
  if (npm.reason) {
    throw new Failure(
      'npm ci failed.',
      [
        'See that npm reaches its registry: npm ping',
        'Run npm ci --ignore-scripts yourself and read the whole message',
        'Remove node_modules and start again',
      ],
      npm.lines.filter((line) => line.includes('npm error')).slice(0, 10),
    );
  }
  return `installed, because ${missing}`;
}

type Lockfile = {
  packages: Record<string, { version?: string; optional?: boolean; devOptional?: boolean; peer?: boolean }>;
};

/** Compares the lockfile with npm's own inside node_modules. Optional packages of other platforms may be absent. */
export function whatIsMissing() {
  const inner = readJson<Lockfile>(join(REPOSITORY, 'node_modules', '.package-lock.json'));
  if (!inner) return 'nothing is installed yet';
  const wanted = Object.entries(readJson<Lockfile>(join(REPOSITORY, 'package-lock.json'))?.packages ?? {});
  const changed = wanted.find(([path, entry]) => {
    if (!path.startsWith('node_modules/') && !path.includes('/node_modules/')) return false;
    const there = inner.packages[path];
    if (!there) return !entry.optional && !entry.devOptional && !entry.peer;
    return there.version !== entry.version;
  });
  return changed && `${changed[0].split('node_modules/').pop()} is not the one in the lockfile`;
}

export async function build(say: Say) {
  say('compiling what changed');
  const tsc = join(REPOSITORY, 'node_modules', 'typescript', 'bin', 'tsc');
  if (!existsSync(tsc))
    throw new Failure('The compiler is not installed.', [
      'npm ci --ignore-scripts',
      'Remove node_modules and start again',
      'See that NODE_ENV is not "production" while installing',
    ]);
  const result = await run(process.execPath, [tsc, '-b', '--pretty', 'false'], { cwd: REPOSITORY });
  if (result.reason) {
    const errors = result.lines.filter((line) => line.includes('error'));
    throw new Failure(
      `The build failed with ${errors.length} ${errors.length === 1 ? 'error' : 'errors'}.`,
      [
        'npx tsc -b  (shows all of them)',
        'git status  (is anything changed that should not be?)',
        'npx tsc -b --clean and start again',
      ],
      errors.slice(0, 10),
    );
  }
  await bundleServices();
  return 'compiled';
}
