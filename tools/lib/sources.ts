/**
 * Runs the project's TypeScript sources in this process without a build: a loader that compiles each file when it is
 * imported. A query after an address makes a copy of a module, and whatever of ours it imports is of the same copy. A
 * program may load several copies, each with its own patches (`variantOf`).
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { enableCompileCache, type LoadHookSync, type ResolveHookSync, registerHooks } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { type Options, transformSync, version } from '@swc/core';
import { REPOSITORY } from './home.ts';
import { type Patch, patched } from './mutants.ts';

const CACHE = join(REPOSITORY, 'node_modules', '.cache', 'cds-test');

const OPTIONS: Options = {
  configFile: false,
  swcrc: false,
  jsc: {
    target: 'es2023',
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true },
    experimental: { keepImportAttributes: true },
  },
  module: { type: 'es6' },
  sourceMaps: 'inline',
};
const OPTIONS_TEXT = JSON.stringify(OPTIONS) + version;

const ROOT = pathToFileURL(`${REPOSITORY}/`).href;
const VARIANT = 'variant';

/** Variants by name: patches as `{ file, from, to }`, where `from` occurs exactly once in the file. */
const variants: Map<string | null, readonly Patch[]> = new Map();
/** Packages that are replaced by a source file of the project: name to path. */
const replaced: Map<string, string> = new Map();
let copied = ROOT;

export function replacePackage(name: string, path: string) {
  replaced.set(name, new URL(path, ROOT).href);
}

/** From here on only modules below this address are copied; a copy shares the others. */
export function copyBelow(address: string) {
  copied = address;
}

/** The address of a source file as this variant sees it. */
export function variantOf(path: string, name: string, patches: readonly Patch[]) {
  variants.set(name, patches);
  return `${new URL(path, ROOT).href}?${VARIANT}=${name}`;
}

export function runSources() {
  enableCompileCache(CACHE);
  registerHooks({ resolve, load });
}

const resolve: ResolveHookSync = (specifier, context, next) => {
  const [parent = '', query] = (context.parentURL ?? '').split('?');
  const source = isOurs(parent) ? sourceOf(specifier, parent) : undefined;
  const conditions = specifier.startsWith('@cds/') ? [...context.conditions, 'source'] : context.conditions;
  const found = source === undefined ? next(specifier, { ...context, conditions }) : { url: source };
  const isCopied = query !== undefined && isOurs(found.url) && !found.url.includes('?') && found.url.startsWith(copied);
  return { ...found, url: isCopied ? `${found.url}?${query}` : found.url, shortCircuit: true };
};

function sourceOf(specifier: string, parent: string) {
  if (!specifier.startsWith('.')) return replaced.get(specifier);
  const typed = new URL(specifier.replace(/\.js$/, '.ts'), parent);
  return existsSync(typed) ? typed.href : undefined;
}

const load: LoadHookSync = (url, context, next) => {
  if (!isOurs(url)) return next(url, context);
  const [file = url, query = ''] = url.split('?');
  const path = file.slice(ROOT.length);
  const patches = (variants.get(new URLSearchParams(query).get(VARIANT)) ?? []).filter((patch) => patch.file === path);
  const typescript = patches.reduce(patched, readFileSync(fileURLToPath(file), 'utf8'));
  return { format: 'module', source: compiled(fileURLToPath(file), typescript), shortCircuit: true };
};

function isOurs(url: string) {
  return url.startsWith(ROOT) && !url.includes('/node_modules/') && url.split('?')[0].endsWith('.ts');
}

/** JavaScript, kept on disk by the content of the source. */
function compiled(file: string, source: string) {
  const name = createHash('sha256').update(OPTIONS_TEXT).update(file).update(source).digest('hex');
  const kept = join(CACHE, `${name}.js`);
  try {
    return readFileSync(kept, 'utf8');
  } catch {
    const { code } = transformSync(source, { ...OPTIONS, filename: file });
    mkdirSync(CACHE, { recursive: true });
    // Lanes compile the same file at once; each writes a file of its own first.
    writeFileSync(`${kept}.${process.pid}`, code);
    renameSync(`${kept}.${process.pid}`, kept);
    return code;
  }
}
