/** The environment of suites: this process's own globals, which the suites of one Jest share. */
import { createContext } from 'node:vm';

export default class NativeEnvironment {
  /** Jest sets its own console and guards on this object; tests print through the process's own. */
  readonly global = {};
  async setup() {}
  async teardown() {}
  getVmContext = () => createContext({});
}
