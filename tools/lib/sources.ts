/**
 * Runs the project's TypeScript sources in this process without a build: a loader that compiles each file when it is
 * imported. A program may load the same sources several times, each time as another variant with its own patches
 * (`variantOf`).
 */
import { readFileSync } from 'node:fs';
import {
  enableCompileCache,
  type LoadHookSync,
  type ResolveHookContext,
  type ResolveHookSync,
  registerHooks,
} from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { CACHE, compiled } from './compile.ts';
import { REPOSITORY } from './home.ts';
import { type Patch, patched } from './mutants.ts';

const ROOT = pathToFileURL(`${REPOSITORY}/`).href;
const VARIANT = 'variant';

/** Variants by name: patches as `{ file, from, to }`, where `from` occurs exactly once in the file. */
const variants: Map<string | null, readonly Patch[]> = new Map();
/** Packages that are replaced by a source file of the project: name to path. */
const replaced: Map<string, string> = new Map();

export function replacePackage(name: string, path: string) {
  replaced.set(name, new URL(path, ROOT).href);
}

/** The address of a source file as this variant sees it; everything that it imports is of the same variant. */
export function variantOf(path: string, name: string, patches: readonly Patch[]) {
  variants.set(name, patches);
  return `${new URL(path, ROOT).href}?${VARIANT}=${name}`;
}

export function runSources() {
  enableCompileCache(CACHE);
  registerHooks({ resolve, load });
}

const resolve: ResolveHookSync = (specifier, context, next) => {
  const parent = context.parentURL ?? '';
  const replacement = isOurs(parent) ? replaced.get(specifier) : undefined;
  const found = replacement === undefined ? resolveSource(specifier, parent, context, next) : { url: replacement };
  if (!isOurs(found.url) || found.url.includes('?')) return { ...found, shortCircuit: true };
  const variant = parent.includes('?') ? parent.slice(parent.indexOf('?')) : '';
  return { ...found, url: found.url + variant, shortCircuit: true };
};

function resolveSource(
  specifier: string,
  parent: string,
  context: ResolveHookContext,
  next: Parameters<ResolveHookSync>[2],
) {
  if (specifier.startsWith('.') && isOurs(parent))
    return { url: new URL(specifier.replace(/\.js$/, '.ts'), parent.split('?')[0]).href };
  return specifier.startsWith('@cds/')
    ? next(specifier, { ...context, conditions: [...context.conditions, 'source'] })
    : next(specifier, context);
}

const load: LoadHookSync = (url, context, next) => {
  if (!isOurs(url)) return next(url, context);
  const [file, query = ''] = url.split('?');
  const path = file.slice(ROOT.length);
  const patches = (variants.get(new URLSearchParams(query).get(VARIANT)) ?? []).filter((patch) => patch.file === path);
  const typescript = patches.reduce(patched, readFileSync(fileURLToPath(file), 'utf8'));
  return { format: 'module', source: compiled(fileURLToPath(file), typescript), shortCircuit: true };
};

function isOurs(url: string) {
  return url.startsWith(ROOT) && !url.includes('/node_modules/') && url.split('?')[0].endsWith('.ts');
}
