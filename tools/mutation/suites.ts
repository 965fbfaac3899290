/** `@jest/globals` for suites of pure rules, whose tests run once for each mutant in one process. */
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const { bind } = require('jest-each');
const { expect } = require('expect');

export type Body = () => unknown;
export type Hooks = { beforeAll: Body[]; beforeEach: Body[]; afterEach: Body[]; afterAll: Body[] };
export type Test = { id: string; file: string; name: string; body: Body; hooks: readonly Hooks[] };

export class Suites {
  tests: Test[] = [];
  #file = '';
  #path: string[] = [];
  #hooks: Hooks[] = [];

  open(file: string) {
    this.#file = file;
    this.#hooks = [noHooks()];
  }

  async close() {
    for (const { hooks } of this.tests)
      for (const { beforeAll, afterAll } of hooks)
        if (beforeAll.length === 0) for (const end of afterAll.splice(0)) await end();
  }

  get globals() {
    const describe = withEach(this.#describe.bind(this));
    const it = withEach(this.#it.bind(this));
    const hook = (when: keyof Hooks) => (body: Body) => {
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

  #describe(name: string, body: Body) {
    this.#path.push(name);
    this.#hooks.push(noHooks());
    body();
    this.#path.pop();
    this.#hooks.pop();
  }

  #it(name: string, body: Body) {
    const full = [...this.#path, name].join(' ');
    const id = `${this.#file}: ${full} #${this.tests.length}`;
    this.tests.push({ id, file: this.#file, name: full, body, hooks: [...this.#hooks] });
  }
}

const noHooks = (): Hooks => ({ beforeAll: [], beforeEach: [], afterEach: [], afterAll: [] });

const withEach = (add: (name: string, body: Body) => void) => {
  const skip = Object.assign(() => undefined, { each: () => () => undefined });
  return Object.assign((name: string, body: Body) => add(name, body), {
    each: bind(add, false),
    skip,
  });
};
