/**
 * How Jest loads suites: by Node's own module loader, once per process. Jest's own runtime loads every module again for
 * every suite, which took a third of the time of a whole run.
 */
import { createRequire } from 'node:module';
import { ModernFakeTimers } from '@jest/fake-timers';
import { configureGlobal } from 'fast-check';
import { ModuleMocker } from 'jest-mock';
import { addressOf, installHooks, showGlobals } from './hooks.ts';

const require = createRequire(import.meta.url);
const mocker = new ModuleMocker(globalThis as never);
const TIMERS = ['useFakeTimers', 'useRealTimers', 'advanceTimersByTime', 'advanceTimersByTimeAsync'] as const;
const MOCKS = ['fn', 'restoreAllMocks', 'spyOn'] as const;

installHooks();
process.setSourceMapsEnabled(true);
// As the seeds of suites (libs/service/src/testing/draws.ts): the same draws each time, unless the run is given a seed.
configureGlobal({ seed: Number(process.env.CDS_SEED ?? 1) });

/** What jest-runner and jest-circus call of a runtime. */
export default class NativeRuntime {
  private readonly timers: ModernFakeTimers;

  constructor(config: ConstructorParameters<typeof ModernFakeTimers>[0]['config']) {
    this.timers = new ModernFakeTimers({ config, global: globalThis });
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
    const timers = TIMERS.map((name) => [name, this.timers[name].bind(this.timers)]);
    const mocks = MOCKS.map((name) => [name, mocker[name].bind(mocker)]);
    showGlobals({ ...globals, jest: Object.fromEntries([...timers, ...mocks]) });
  }

  getSourceMaps = () => new Map();
  getAllCoverageInfoCopy = () => undefined;
  enterTestCode() {}
  leaveTestCode() {}

  teardown() {
    this.timers.dispose();
    mocker.restoreAllMocks();
  }
}
