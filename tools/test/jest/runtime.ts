/**
 * How Jest loads suites: by Node's own module loader, once per process. Jest's own runtime loads every module again for
 * every suite, which took a third of the time of a whole run.
 */
import { createRequire, enableCompileCache } from 'node:module';
import { configureGlobal } from 'fast-check';
import { ModuleMocker } from 'jest-mock';
import { CACHE } from '../../lib/compile.ts';
import type NativeEnvironment from './environment.ts';
import { addressOf, installHooks, showGlobals } from './hooks.ts';

const require = createRequire(import.meta.url);
const mocker = new ModuleMocker(globalThis as never);

enableCompileCache(CACHE);
installHooks();
process.setSourceMapsEnabled(true);
// As the seeds of suites (libs/service/src/testing/draws.ts): the same draws each time, unless the run is given a seed.
configureGlobal({ seed: Number(process.env.CDS_SEED ?? 1) });

/** What jest-runner and jest-circus call of a runtime. */
export default class NativeRuntime {
  private readonly timers: NativeEnvironment['fakeTimersModern'];

  constructor(_config: unknown, environment: NativeEnvironment) {
    this.timers = environment.fakeTimersModern;
  }

  /** Jest's own parts, such as the test framework. They keep state, so each suite has fresh ones. */
  requireInternalModule(path: string) {
    delete require.cache[path];
    return require(path);
  }

  requireModule = (path: string) => require(path);
  unstable_shouldLoadAsEsm = () => true;

  unstable_importModule(path: string) {
    // Jest installs a formatter of stacks that knows only what Jest has compiled; Node's reads our source maps.
    Reflect.deleteProperty(Error, 'prepareStackTrace');
    return import(addressOf(path));
  }

  setGlobalsForRuntime(globals: Record<string, unknown>) {
    const { timers } = this;
    const jest = {
      fn: mocker.fn.bind(mocker),
      restoreAllMocks: mocker.restoreAllMocks.bind(mocker),
      spyOn: mocker.spyOn.bind(mocker),
      useFakeTimers: timers.useFakeTimers.bind(timers),
      useRealTimers: timers.useRealTimers.bind(timers),
      advanceTimersByTime: timers.advanceTimersByTime.bind(timers),
      advanceTimersByTimeAsync: timers.advanceTimersByTimeAsync.bind(timers),
    };
    showGlobals({ ...globals, jest });
  }

  getSourceMaps = () => new Map();
  getAllCoverageInfoCopy = () => undefined;
  enterTestCode() {}
  leaveTestCode() {}
  teardown = () => mocker.restoreAllMocks();
}
