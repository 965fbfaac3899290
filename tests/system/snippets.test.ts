// @night: compiles and runs every snippet of the documents against the packed package.
import { execFile, execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { seedBrand } from '../../tools/lib/stack.js';
import { type SharedStack, secretOf, sharedStack } from '../support/stack.js';

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, '..', '..');
/** Documents whose TypeScript a reader may copy, in the order in which their snippets build on each other. */
const DOCUMENTS = ['packages/sdk/README.md', 'docs/guides/sdk.md'];

const snippetsIn = async (path: string): Promise<[name: string, code: string][]> => {
  const text = await readFile(join(ROOT, path), 'utf8');
  const name = path.replace(/\W+/g, '-');
  return [...text.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code = ''], index) => [`${name}-${index + 1}.mts`, code]);
};

/** The snippets of the SDK's documents, compiled and run against the packed package, as after an install. */
describe('the snippets of the SDK', () => {
  let folder: string;
  let stack: SharedStack;
  let env: Record<string, string | undefined>;
  let snippets: [name: string, code: string][];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'cds-snippets-'));
    const installed = join(folder, 'node_modules', '@cds', 'sdk');
    await mkdir(installed, { recursive: true });
    await symlink(join(ROOT, 'node_modules', '@types'), join(folder, 'node_modules', '@types'));
    const pack = ['pack', '--json', '--offline', '--ignore-scripts', `--pack-destination=${folder}`];
    const { stdout } = await run('npm', pack, { cwd: join(ROOT, 'packages', 'sdk') });
    const [packed] = JSON.parse(stdout) as { filename: string }[];
    execFileSync('tar', ['-xzf', join(folder, packed?.filename ?? ''), '-C', installed, '--strip-components=1']);

    snippets = (await Promise.all(DOCUMENTS.map(snippetsIn))).flat();
    for (const [name, code] of snippets) await writeFile(join(folder, name), code);
    const options = { module: 'nodenext', target: 'es2023', strict: true, types: ['node'] };
    const strict = { noUncheckedIndexedAccess: true, exactOptionalPropertyTypes: true };
    await writeFile(
      join(folder, 'tsconfig.json'),
      JSON.stringify({ compilerOptions: { ...options, ...strict }, include: ['*.mts'] }),
    );

    stack = await sharedStack();
    // As a company that has just signed up: without an audience on file.
    const made = await seedBrand(stack, { name: `brand-${randomUUID().slice(0, 8)}`, audience: null });
    const sandbox = made.find(({ kind }) => kind === 'sandbox');
    if (sandbox === undefined) throw new Error('a seeded brand lacks its sandbox');
    env = { PATH: process.env['PATH'], CDS_URL: stack.appUrl, CDS_API_KEY: secretOf(sandbox, 'full') };
  }, 180_000);
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('compile under the strictest options, against the published types', async () => {
    const compiled = await run(process.execPath, [
      join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc'),
      '-p',
      folder,
    ]).then(
      () => '',
      (error: { stdout: string }) => error.stdout,
    );
    expect(snippets.length).toBeGreaterThan(5);
    expect(compiled).toBe('');
  }, 60_000);

  it('run, one after the other, without an error', async () => {
    for (const [name] of snippets) {
      const script = join(folder, name.replace('.mts', '.mjs'));
      const ended = await run(process.execPath, [script], { env, cwd: folder }).then(
        ({ stdout }) => ({ name, failed: '', said: stdout }),
        (error: { stderr: string }) => ({ name, failed: error.stderr, said: '' }),
      );
      expect(ended).toMatchObject({ failed: '' });
      if (name.endsWith('README-md-2.mts')) expect(ended.said).toContain('/pay/');
    }
  }, 120_000);
});
