/** A test runner for Stryker: suites of pure rules by Node's own loader, in one process for all mutants. */
import { relative, resolve, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  INSTRUMENTER_CONSTANTS as IDS,
  type InstrumenterContext,
  type StrykerOptions,
} from '@stryker-mutator/api/core';
import { commonTokens, declareClassPlugin, PluginKind, tokens } from '@stryker-mutator/api/plugin';
import {
  type DryRunResult,
  DryRunStatus,
  determineHitLimitReached,
  type MutantRunOptions,
  type TestResult,
  TestStatus,
  toMutantRunResult,
} from '@stryker-mutator/api/test-runner';
import { configureGlobal } from 'fast-check';
import { copyBelow } from '../lib/sources.ts';
import { installHooks, showGlobals } from '../test/jest/hooks.ts';
import { filesOf } from './areas.ts';
import { Suites, type Test } from './suites.ts';

export type Context = InstrumenterContext;

/** What the instrumented sources read. */
const context: Context = {};
Object.defineProperty(globalThis, IDS.NAMESPACE, { value: context });

class RulesRunner {
  static inject = tokens(commonTokens.options);

  readonly patterns: readonly string[];
  #suites = new Suites();
  #spent: Map<string, number> = new Map();
  #loads = 0;

  constructor(options: StrykerOptions) {
    const { suites } = options.rules as { suites: string[] };
    this.patterns = suites;
    installHooks();
    // A failing property is enough: what it shrinks to does not matter here.
    configureGlobal({ seed: 1, endOnFailure: true });
  }

  /** What runs while a module loads is run again by loading it again. */
  capabilities() {
    return { reloadEnvironment: true };
  }

  async dryRun(): Promise<DryRunResult> {
    await this.#loadAll();
    const tests = await this.#run(this.#suites.tests, false);
    return { status: DryRunStatus.Complete, tests, mutantCoverage: context.mutantCoverage };
  }

  async mutantRun(options: MutantRunOptions) {
    const { activeMutant, mutantActivation, hitLimit } = options;
    context.hitCount = hitLimit === undefined ? undefined : 0;
    context.hitLimit = hitLimit;
    if (mutantActivation === 'runtime') await this.#loadAll();
    context.activeMutant = activeMutant.id;
    try {
      const tests = mutantActivation === 'runtime' ? await this.#runReaching(options) : await this.#loadAndRun(options);
      return toMutantRunResult(
        determineHitLimitReached(context.hitCount, hitLimit) ?? { status: DryRunStatus.Complete, tests },
      );
    } finally {
      context.activeMutant = undefined;
    }
  }

  async dispose() {
    await this.#suites.close();
  }

  #runReaching({ testFilter }: MutantRunOptions) {
    const reaching = new Set(testFilter);
    const spent = ({ id }: Test) => this.#spent.get(id) ?? 0;
    const quickFirst = this.#suites.tests.filter(({ id }) => reaching.has(id)).sort((a, b) => spent(a) - spent(b));
    return this.#run(quickFirst, true);
  }

  /** Loads suites while the mutant is active, until one fails: first the one beside the rule, the likeliest to. */
  async #loadAndRun({ sandboxFileName }: MutantRunOptions): Promise<TestResult[]> {
    const rule = relative('.', sandboxFileName);
    const own = rule.replace(/\.ts$/, '.test.ts');
    // The modules of its package belong to this load alone.
    copyBelow(pathToFileURL(resolve(...rule.split(sep).slice(0, 2))).href);
    this.#loads += 1;
    const suites = new Suites();
    const results: TestResult[] = [];
    try {
      for (const file of this.#files().sort((one, other) => Number(other === own) - Number(one === own))) {
        await this.#load(suites, file, `?${this.#loads}`);
        const tests = suites.tests.filter((test) => test.file === file);
        results.push(...(await this.#run(tests, true)));
        if (results.at(-1)?.status === TestStatus.Failed) break;
      }
    } catch (error) {
      results.push({ id: own, name: own, status: TestStatus.Failed, timeSpentMs: 0, failureMessage: String(error) });
    } finally {
      await suites.close();
    }
    return results;
  }

  async #loadAll() {
    if (this.#suites.tests.length > 0) return;
    for (const file of this.#files()) await this.#load(this.#suites, file, '');
  }

  #files() {
    return filesOf(this.patterns);
  }

  async #load(suites: Suites, file: string, query: string) {
    suites.open(file);
    showGlobals(suites.globals);
    await import(`${pathToFileURL(resolve(file)).href}${query}`);
  }

  async #run(tests: readonly Test[], untilOneFails: boolean): Promise<TestResult[]> {
    const results: TestResult[] = [];
    for (const test of tests) {
      const result = await this.#one(test);
      results.push(result);
      if (untilOneFails && result.status === TestStatus.Failed) break;
    }
    return results;
  }

  async #one({ id, name, file, body, hooks }: Test): Promise<TestResult> {
    const named = { id, name, fileName: resolve(file) };
    const began = performance.now();
    const spent = () => {
      const timeSpentMs = Math.round(performance.now() - began);
      this.#spent.set(id, timeSpentMs);
      return { timeSpentMs };
    };
    try {
      for (const { beforeAll } of hooks) for (const prepare of beforeAll.splice(0)) await prepare();
      context.currentTestId = id;
      for (const { beforeEach } of hooks) for (const prepare of beforeEach) await prepare();
      await body();
      for (const { afterEach } of hooks) for (const clear of afterEach) await clear();
      return { ...named, ...spent(), status: TestStatus.Success };
    } catch (error) {
      const failureMessage = error instanceof Error ? error.message : String(error);
      return { ...named, ...spent(), status: TestStatus.Failed, failureMessage };
    } finally {
      context.currentTestId = undefined;
    }
  }
}

export const strykerPlugins = [declareClassPlugin(PluginKind.TestRunner, 'rules', RulesRunner)];
