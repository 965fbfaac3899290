/**
 * What the Dockerfile runs after the compiler.
 *
 *   node tools/image.ts bundle            bundles each process into one file, while esbuild is still installed
 *   node tools/image.ts assemble FOLDER   copies what runs, without tests and sources
 */
import { cpSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { bundleServices } from './lib/bundle.ts';
import { REPOSITORY } from './lib/home.ts';

/** What a package needs at run time: its code, the generated API documents, the gateway's pages, its own packages. */
const PARTS = ['package.json', 'dist', 'generated', 'views', 'node_modules'];
/** The documents that the gateway serves, from where it finds them in the repository. */
const DOCUMENTS = ['CHANGELOG.md', 'docs'];
/** Compiled tests with their builders, and what only a compiler reads. */
const LEFT_OUT = /\.test\.js$|\.d\.ts$|\.map$|\.tsbuildinfo$|\/dist\/(?:test|testing)$|\/bundle\/compiled$/;

/** What the container that prepares the database runs (docker-compose.yml), bundled for a folder without sources. */
const SETUP = 'compose-setup';

function assemble(to: string) {
  mkdirSync(join(to, 'audit'), { recursive: true });
  for (const room of ['libs', 'services'])
    for (const name of readdirSync(join(REPOSITORY, room))) for (const part of PARTS) copy(join(room, name, part), to);
  for (const path of DOCUMENTS) copy(path, to);
  cpSync(join(REPOSITORY, 'tools', 'dist', `${SETUP}.js`), join(to, 'tools', `${SETUP}.js`));
  copy('package.json', to);
}

function copy(path: string, to: string) {
  const from = join(REPOSITORY, path);
  if (statSync(from, { throwIfNoEntry: false }) === undefined) return;
  // Packages are copied whole; what is left out is ours.
  const filter = basename(path) === 'node_modules' ? () => true : (one: string) => !LEFT_OUT.test(one);
  cpSync(from, join(to, path), { recursive: true, filter, verbatimSymlinks: true });
}

const [task, folder] = process.argv.slice(2);
if (task === 'bundle') {
  await bundleServices();
  const { build } = await import('esbuild');
  const [entryPoints, outdir] = [[join(REPOSITORY, 'tools', `${SETUP}.ts`)], join(REPOSITORY, 'tools', 'dist')];
  await build({ entryPoints, outdir, bundle: true, platform: 'node', format: 'esm', packages: 'external' });
} else if (task === 'assemble' && folder !== undefined) assemble(folder);
else throw new Error('Write "bundle", or "assemble" and a folder.');
