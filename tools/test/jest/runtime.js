/**
 * How Jest loads suites: by Node's own module loader, once per process. Jest's own runtime loads every module again for
 * every suite, which took a third of the time of a whole run.
 */
import { createRequire, enableCompileCache } from 'node:module';
import { configureGlobal } from 'fast-check';
import { CACHE } from '../../lib/compile.js';
import { addressOf, installHooks, showGlobals } from './hooks.js';

const require = createRequire(import.meta.url);

enableCompileCache(CACHE);
installHooks();
process.setSourceMapsEnabled(true);
// As the seeds of suites (libs/service/src/testing/draws.ts): the same draws each time, unless the run is given a seed.
configureGlobal({ seed: Number(process.env.CDS_SEED ?? 1) });

export default class NativeRuntime {
  /**
   * @param {unknown} _config
   * @param {import('./environment.js').default} environment
   */
  constructor(_config, environment) {
    this.environment = environment;
  }

  /**
   * Jest's own parts, such as the test framework. They keep state, so each suite has fresh ones.
   * @param {string} path
   */
  requireInternalModule(path) {
    delete require.cache[path];
    return require(path);
  }

  /** @param {string} path */
  requireModule(path) {
    return require(path);
  }

  unstable_shouldLoadAsEsm() {
    return true;
  }

  /**
   * A suite, or a file that prepares suites.
   * @param {string} path
   */
  unstable_importModule(path) {
    // Jest installs a formatter of stacks that knows only what Jest has compiled; Node's reads our source maps.
    Reflect.deleteProperty(Error, 'prepareStackTrace');
    return import(addressOf(path));
  }

  /** @param {Record<string, unknown>} globals */
  setGlobalsForRuntime(globals) {
    const { moduleMocker, fakeTimersModern } = this.environment;
    showGlobals({
      ...globals,
      jest: {
        fn: moduleMocker.fn.bind(moduleMocker),
        spyOn: moduleMocker.spyOn.bind(moduleMocker),
        restoreAllMocks: () => moduleMocker.restoreAllMocks(),
        useFakeTimers: (/** @type {never} */ options) => fakeTimersModern.useFakeTimers(options),
        useRealTimers: () => fakeTimersModern.useRealTimers(),
        advanceTimersByTime: (/** @type {number} */ ms) => fakeTimersModern.advanceTimersByTime(ms),
        advanceTimersByTimeAsync: (/** @type {number} */ ms) => fakeTimersModern.advanceTimersByTimeAsync(ms),
      },
    });
  }

  getSourceMaps() {
    return new Map();
  }

  getAllCoverageInfoCopy() {
    return undefined;
  }

  enterTestCode() {}

  leaveTestCode() {}

  teardown() {
    this.environment.moduleMocker.restoreAllMocks();
  }
}
