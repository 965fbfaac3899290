/**
 * The functions of `@jest/globals` for suites of pure rules: they collect tests, which then run as often as there are
 * mutants, in one process. A Jest for each mutant would take a hundred times as long.
 */
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const { bind } = require('jest-each');
const { expect } = require('expect');

/** @typedef {() => unknown} Body */
/** @typedef {{ beforeAll: Body[], beforeEach: Body[], afterEach: Body[], afterAll: Body[] }} Hooks */
/** @typedef {{ id: string, file: string, name: string, body: Body, hooks: readonly Hooks[] }} Test */

export class Suites {
  /** @type {Test[]} */
  tests = [];
  #file = '';
  /** @type {string[]} */
  #path = [];
  /** @type {Hooks[]} */
  #hooks = [];

  /** @param {string} file the suite that is loaded next */
  open(file) {
    this.#file = file;
    this.#hooks = [noHooks()];
  }

  /** Ends what the suites began. */
  async close() {
    for (const { hooks } of this.tests)
      for (const { beforeAll, afterAll } of hooks)
        if (beforeAll.length === 0) for (const end of afterAll.splice(0)) await end();
  }

  get globals() {
    const describe = withEach(this.#describe.bind(this));
    const it = withEach(this.#it.bind(this));
    const hook = (/** @type {keyof Hooks} */ when) => (/** @type {Body} */ body) => {
      this.#hooks.at(-1)?.[when].push(body);
    };
    return {
      describe,
      it,
      test: it,
      expect,
      beforeAll: hook('beforeAll'),
      beforeEach: hook('beforeEach'),
      afterEach: hook('afterEach'),
      afterAll: hook('afterAll'),
      jest: {},
    };
  }

  /**
   * @param {string} name
   * @param {Body} body
   */
  #describe(name, body) {
    this.#path.push(name);
    this.#hooks.push(noHooks());
    body();
    this.#path.pop();
    this.#hooks.pop();
  }

  /**
   * @param {string} name
   * @param {Body} body
   */
  #it(name, body) {
    const full = [...this.#path, name].join(' ');
    const id = `${this.#file}: ${full} #${this.tests.length}`;
    this.tests.push({ id, file: this.#file, name: full, body, hooks: [...this.#hooks] });
  }
}

/** @returns {Hooks} */
const noHooks = () => ({ beforeAll: [], beforeEach: [], afterEach: [], afterAll: [] });

/** @param {(name: string, body: Body) => void} add */
const withEach = (add) => {
  const skip = Object.assign(() => undefined, { each: () => () => undefined });
  return Object.assign((/** @type {string} */ name, /** @type {Body} */ body) => add(name, body), {
    each: bind(add, false),
    skip,
  });
};
