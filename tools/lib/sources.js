/**
 * Runs the project's TypeScript sources in this process without a build: a loader that compiles each file when it is
 * imported. A program may load the same sources several times, each time as another variant with its own patches
 * (`variantOf`).
 */
import { readFileSync } from 'node:fs';
import { enableCompileCache, registerHooks } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { CACHE, compiled } from './compile.js';
import { REPOSITORY } from './home.js';
import { patched } from './patch.js';

/** @typedef {import('./patch.js').Patch} Patch */

const ROOT = pathToFileURL(`${REPOSITORY}/`).href;
const VARIANT = 'variant';

/**
 * Variants by name: patches as `{ file, from, to }`, where `from` occurs exactly once in the file.
 * @type {Map<string | null, readonly Patch[]>}
 */
const variants = new Map();
/**
 * Packages that are replaced by a source file of the project: name to path.
 * @type {Map<string, string>}
 */
const replaced = new Map();

/**
 * @param {string} name
 * @param {string} path
 */
export function replacePackage(name, path) {
  replaced.set(name, new URL(path, ROOT).href);
}

/**
 * The address of a source file as this variant sees it; everything that it imports is of the same variant.
 * @param {string} path
 * @param {string} name
 * @param {readonly Patch[]} patches
 */
export function variantOf(path, name, patches) {
  variants.set(name, patches);
  return `${new URL(path, ROOT).href}?${VARIANT}=${name}`;
}

export function runSources() {
  enableCompileCache(CACHE);
  registerHooks({ resolve, load });
}

/** @type {import('node:module').ResolveHookSync} */
function resolve(specifier, context, next) {
  const parent = context.parentURL ?? '';
  const replacement = isOurs(parent) ? replaced.get(specifier) : undefined;
  const found = replacement === undefined ? resolveSource(specifier, parent, context, next) : { url: replacement };
  if (!isOurs(found.url) || found.url.includes('?')) return { ...found, shortCircuit: true };
  const variant = parent.includes('?') ? parent.slice(parent.indexOf('?')) : '';
  return { ...found, url: found.url + variant, shortCircuit: true };
}

/**
 * @param {string} specifier
 * @param {string} parent
 * @param {import('node:module').ResolveHookContext} context
 * @param {Parameters<import('node:module').ResolveHookSync>[2]} next
 */
function resolveSource(specifier, parent, context, next) {
  if (specifier.startsWith('.') && isOurs(parent))
    return { url: new URL(specifier.replace(/\.js$/, '.ts'), parent.split('?')[0]).href };
  return specifier.startsWith('@cds/')
    ? next(specifier, { ...context, conditions: [...context.conditions, 'source'] })
    : next(specifier, context);
}

/** @type {import('node:module').LoadHookSync} */
function load(url, context, next) {
  if (!isOurs(url)) return next(url, context);
  const [file, query = ''] = url.split('?');
  const path = file.slice(ROOT.length);
  const patches = (variants.get(new URLSearchParams(query).get(VARIANT)) ?? []).filter((patch) => patch.file === path);
  const typescript = patches.reduce(patched, readFileSync(fileURLToPath(file), 'utf8'));
  return { format: 'module', source: compiled(fileURLToPath(file), typescript), shortCircuit: true };
}

/** @param {string} url */
function isOurs(url) {
  return url.startsWith(ROOT) && !url.includes('/node_modules/') && url.split('?')[0].endsWith('.ts');
}
