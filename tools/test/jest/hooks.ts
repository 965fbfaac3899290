/** Node's loader, taught what suites need: TypeScript, the sources of our packages, and `@jest/globals`. */
import { existsSync, readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { compiled } from '../../lib/compile.ts';

const GLOBALS = 'cds:jest-globals';
const SUITE = /\.test\.ts$/;
/** What a suite imports from `@jest/globals`. */
const NAMES = ['afterAll', 'afterEach', 'beforeAll', 'beforeEach', 'describe', 'expect', 'it', 'jest', 'test'];

let shown: Record<string, unknown> = {};
let suites = 0;

export function showGlobals(globals: Record<string, unknown>) {
  shown = globals;
  suites += 1;
}

/** For a suite: its own functions, so that the stack of an error leads to its line. */
const SUITE_SOURCE = `
const own = globalThis[Symbol.for('cds.jest')]();
${NAMES.map((name) => `export const ${name} = own.${name};`).join('\n')}
`;

/** For what suites share, which outlives the first of them: the functions of the current one. */
const SHARED_SOURCE = `
const current = globalThis[Symbol.for('cds.jest')];
const delegate = (name) => new Proxy(function () {}, {
  apply: (_target, _self, args) => current()[name](...args),
  get: (_target, property) => current()[name][property],
});
${NAMES.map((name) => `export const ${name} = delegate('${name}');`).join('\n')}
`;

/**
 * The address of a suite. One that says `@isolated` has modules of ours to itself, since they keep what it tests, such
 * as counters; a query tells them apart, and each module that it imports takes it over.
 */
export function addressOf(file: string) {
  const { href } = pathToFileURL(file);
  return readFileSync(file, 'utf8').includes('@isolated') ? `${href}?${suites}` : href;
}

export function installHooks() {
  Object.defineProperty(globalThis, Symbol.for('cds.jest'), { value: () => shown });
  registerHooks({
    resolve(specifier, context, next) {
      const [parent = '', own] = (context.parentURL ?? '').split('?');
      const alike = (url: string) => (own === undefined || !url.endsWith('.ts') ? url : `${url}?${own}`);
      if (specifier === '@jest/globals') {
        const url = SUITE.test(parent) ? `${GLOBALS}/${suites}` : GLOBALS;
        return { url, format: 'module', shortCircuit: true };
      }
      if (specifier.startsWith('@cds/')) {
        const found = next(specifier, { ...context, conditions: [...context.conditions, 'source'] });
        return { ...found, url: alike(found.url) };
      }
      if (/^\..*\.js$/.test(specifier) && parent.endsWith('.ts')) {
        const typed = new URL(specifier.replace(/\.js$/, '.ts'), parent);
        if (existsSync(typed)) return { url: alike(typed.href), format: 'module', shortCircuit: true };
      }
      return next(specifier, context);
    },
    load(url, context, next) {
      if (url === GLOBALS) return { format: 'module', source: SHARED_SOURCE, shortCircuit: true };
      if (url.startsWith(GLOBALS)) return { format: 'module', source: SUITE_SOURCE, shortCircuit: true };
      const [plain = url] = url.split('?');
      if (!plain.startsWith('file:') || !plain.endsWith('.ts')) return next(url, context);
      const file = fileURLToPath(plain);
      return { format: 'module', source: compiled(file, readFileSync(file, 'utf8')), shortCircuit: true };
    },
  });
}
