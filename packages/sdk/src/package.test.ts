import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';

const PACKAGES = join(import.meta.dirname, '..', '..');
const PACKED_MAY_BE =
  /^(dist\/(generated\/)?[\w-]+\.(js|js\.map|d\.ts|d\.ts\.map)|src\/(generated\/)?[\w-]+\.ts|LICENSE|README\.md|package\.json)$/;

type Packed = { filename: string; files: { path: string }[] };

/** What `npm pack` makes of a package, without a registry. */
const packed = (name: string, folder: string): Packed => {
  const args = ['pack', '--json', '--offline', '--ignore-scripts', `--pack-destination=${folder}`];
  const text = execFileSync('npm', args, {
    cwd: join(PACKAGES, name),
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [one] = JSON.parse(text) as Packed[];
  if (one === undefined) throw new Error(`npm packed nothing of ${name}`);
  return { ...one, filename: join(folder, one.filename) };
};

describe('the package as it is published', () => {
  let folder: string;
  let sdk: Packed;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'cds-pack-'));
    sdk = packed('sdk', folder);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const bytesOf = (path: string): ArrayBuffer => new Uint8Array(readFileSync(path)).buffer;

  it('has code, types, sources, license and README, and no test', () => {
    const paths = sdk.files.map(({ path }) => path);
    expect(paths.filter((path) => !PACKED_MAY_BE.test(path))).toEqual([]);
    expect(paths).toEqual(
      expect.arrayContaining(['dist/index.js', 'dist/index.d.ts', 'src/index.ts', 'LICENSE', 'README.md']),
    );
  });

  it('needs no other package', () => {
    const manifest = JSON.parse(readFileSync(join(PACKAGES, 'sdk', 'package.json'), 'utf8')) as Record<string, unknown>;
    expect(manifest).not.toHaveProperty('dependencies');
    expect(manifest).not.toHaveProperty('peerDependencies');
    expect(manifest).toMatchObject({ type: 'module', sideEffects: false, license: 'Apache-2.0' });
  });

  it.each(['sdk', 'cli'])('%s passes publint', async (name) => {
    const { filename } = name === 'sdk' ? sdk : packed(name, folder);
    const { messages, pkg } = await publint({ pack: { tarball: bytesOf(filename) }, strict: true });
    expect(messages.map((message) => formatMessage(message, pkg, { color: false }))).toEqual([]);
  });

  it('has types that resolve wherever ES modules do', async () => {
    const analysis = await checkPackage(createPackageFromTarballData(new Uint8Array(bytesOf(sdk.filename))));
    if (!('problems' in analysis)) throw new Error('the package has no types');
    // A CommonJS module has to import() an ES module; node10 knows no exports, but the main entry has none to miss.
    const expected = ['CJSResolvesToESM', 'NoResolution'];
    const problems = analysis.problems.filter(
      (problem) =>
        !expected.includes(problem.kind) || ('resolutionKind' in problem && problem.resolutionKind === 'bundler'),
    );
    expect(problems).toEqual([]);
    const entry = analysis.entrypoints['.']?.resolutions;
    expect(entry?.['node16-esm'].resolution?.isTypeScript).toBe(true);
    expect(entry?.bundler.resolution?.isTypeScript).toBe(true);
  });
});
