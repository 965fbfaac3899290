/**
 * The environment of suites: this process's own globals, without a context of `node:vm` around them. Suites of one Jest
 * share built-ins and loaded modules, so a suite puts back what it changes of either.
 */
import { createContext } from 'node:vm';
import { ModernFakeTimers } from '@jest/fake-timers';
import { ModuleMocker } from 'jest-mock';

export default class NativeEnvironment {
  /** @param {{ projectConfig: import('@jest/types').Config.ProjectConfig }} configured */
  constructor({ projectConfig }) {
    // Jest sets its own console and guards on this object; tests print through the process's own.
    this.global = {};
    this.moduleMocker = new ModuleMocker(/** @type {never} */ (globalThis));
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
  }

  async setup() {}

  async teardown() {
    this.fakeTimersModern.dispose();
  }

  /** Jest asks for it only to collect coverage. */
  getVmContext() {
    return createContext({});
  }

  exportConditions() {
    return ['source', 'node', 'node-addons'];
  }
}
