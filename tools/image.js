#!/usr/bin/env node
/**
 * What the Dockerfile runs after the compiler.
 *
 *   node tools/image.js bundle            bundles each process into one file, while esbuild is still installed
 *   node tools/image.js assemble FOLDER   copies what runs, without tests and sources
 */
import { cpSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { bundleServices } from './lib/bundle.js';
import { REPOSITORY } from './lib/home.js';

/** What a package needs at run time: its code, the generated API documents, the gateway's pages, its own packages. */
const PARTS = ['package.json', 'dist', 'generated', 'views', 'node_modules'];
/** The documents that the gateway serves, from where it finds them in the repository. */
const DOCUMENTS = ['CHANGELOG.md', 'docs'];
/** Compiled tests with their builders, and what only a compiler reads. */
const LEFT_OUT = /\.test\.js$|\.d\.ts$|\.map$|\.tsbuildinfo$|\/dist\/(?:test|testing)$|\/bundle\/compiled$/;

/** What the container that prepares the database runs (docker-compose.yml). */
const SETUP = [
  'compose-setup',
  ...['child', 'failure', 'home', 'mongo-client', 'mongo-users', 'process-table'].map((name) => `lib/${name}`),
];

/** @param {string} to */
function assemble(to) {
  mkdirSync(join(to, 'audit'), { recursive: true });
  for (const room of ['libs', 'services'])
    for (const name of readdirSync(join(REPOSITORY, room))) for (const part of PARTS) copy(join(room, name, part), to);
  for (const path of DOCUMENTS) copy(path, to);
  for (const name of SETUP) copy(join('tools', `${name}.js`), to);
  copy('package.json', to);
}

/**
 * @param {string} path
 * @param {string} to
 */
function copy(path, to) {
  const from = join(REPOSITORY, path);
  if (statSync(from, { throwIfNoEntry: false }) === undefined) return;
  // Packages are copied whole; what is left out is ours.
  const filter = basename(path) === 'node_modules' ? () => true : (/** @type {string} */ one) => !LEFT_OUT.test(one);
  cpSync(from, join(to, path), { recursive: true, filter, verbatimSymlinks: true });
}

const [task, folder] = process.argv.slice(2);
if (task === 'bundle') await bundleServices();
else if (task === 'assemble' && folder !== undefined) assemble(folder);
else throw new Error('Write "bundle", or "assemble" and a folder.');
