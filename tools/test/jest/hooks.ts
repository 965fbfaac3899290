/** `@jest/globals` for suites and what they share, which Node's own loader loads from their sources. */
import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';
import { runSources } from '../../lib/sources.ts';

const URL = 'cds:jest-globals';
const NAMES = ['afterAll', 'afterEach', 'beforeAll', 'beforeEach', 'describe', 'expect', 'it', 'jest', 'test'].join();
/** Its exports change with each suite, also for modules that outlive the first. */
const SOURCE = `export let ${NAMES};
const current = globalThis[Symbol.for('cds.jest')];
current.show = (globals) => { ({ ${NAMES} } = globals); };
current.show(current.globals);`;

const current = { globals: {}, show: (_globals: object) => {} };
let suites = 0;

export function showGlobals(globals: Record<string, unknown>) {
  current.globals = globals;
  current.show(globals);
  suites += 1;
}

/** The address of a suite. One that says `@isolated` has a copy of our modules, since they keep what it tests. */
export function addressOf(file: string) {
  const { href } = pathToFileURL(file);
  return readFileSync(file, 'utf8').includes('@isolated') ? `${href}?${suites}` : href;
}

export function installHooks() {
  Object.defineProperty(globalThis, Symbol.for('cds.jest'), { value: current });
  runSources();
  registerHooks({
    resolve: (specifier, context, next) =>
      specifier === '@jest/globals' ? { url: URL, format: 'module', shortCircuit: true } : next(specifier, context),
    load: (url, context, next) =>
      url === URL ? { format: 'module', source: SOURCE, shortCircuit: true } : next(url, context),
  });
}
