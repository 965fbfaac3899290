/**
 * The environment of suites: this process's own globals, without a context of `node:vm` around them. Suites of one Jest
 * share built-ins and loaded modules, so a suite puts back what it changes of either.
 */
import { createContext } from 'node:vm';
import { ModernFakeTimers } from '@jest/fake-timers';
import type { Config } from '@jest/types';

export default class NativeEnvironment {
  /** Jest sets its own console and guards on this object; tests print through the process's own. */
  readonly global = {};
  readonly fakeTimersModern: ModernFakeTimers;

  constructor({ projectConfig }: { projectConfig: Config.ProjectConfig }) {
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
  }

  async setup() {}

  async teardown() {
    this.fakeTimersModern.dispose();
  }

  getVmContext = () => createContext({});
  exportConditions = () => ['source', 'node', 'node-addons'];
}
