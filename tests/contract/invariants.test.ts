import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SERVICES } from '@cds/contracts';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { mutants } from '../../tools/lib/mutants.js';

const root = join(import.meta.dirname, '..', '..');

type Invariant = {
  id: string;
  /** What always holds, in one plain sentence. */
  says: string;
  owner: string[];
  section: string;
  tests: string[];
  /** What finds a breach in the databases, or in what callers were answered. */
  audit?: string;
  /** Why nothing that is stored or answered could show a breach. */
  unaudited?: string;
  /** Seeded bugs that break it: mutants by name (docs/reliability.md#seeded-bugs). */
  bugs: string[];
  /** The issue that brings its first test; only where `tests` is empty. */
  owed?: string;
  figure?: { layer: string; target: number; reached: number; date: string; seed?: number };
};

const numbered = (letter: string, count: number): string[] =>
  Array.from({ length: count }, (_none, at) => `${letter}${String(at + 1).padStart(2, '0')}`);

const INVARIANTS = numbered('I', 77);
const SEEDED_BUGS = numbered('B', 40);
/** Signing and money: each has tests, an audit and mutants. */
const SIGNING_AND_MONEY = [...numbered('I', 23), ...['I28', 'I35', 'I55', 'I56', 'I57', 'I58', 'I59', 'I74']];
/** Each of these is a file of tests/mutants; the others are only listed on their page. */
const MUTATED_BUGS = [...SEEDED_BUGS.slice(0, 20), ...['B30', 'B31', 'B32', 'B38', 'B39', 'B40']];
const MUTANTS = mutants();
const OWNERS: ReadonlySet<string> = new Set([...SERVICES, 'all']);
const FIELDS = new Set(['id', 'says', 'owner', 'section', 'tests', 'audit', 'unaudited', 'bugs', 'owed', 'figure']);

describe('invariants.yaml', () => {
  let listed: Invariant[] = [];

  beforeAll(async () => {
    listed = parse(await readFile(join(root, 'invariants.yaml'), 'utf8')) as Invariant[];
  });

  const idsWhere = (holds: (one: Invariant) => boolean): string[] => listed.filter(holds).map((one) => one.id);

  it('holds each invariant once, in order', () => {
    expect(listed.map((one) => one.id)).toEqual(INVARIANTS);
  });

  it('says each in one sentence of its own, short enough to be read at a glance', () => {
    expect(idsWhere(({ says }) => !/^[A-Z][^\n]*[^.\s]\.$/.test(says ?? '') || /[.!?]\s/.test(says))).toEqual([]);
    expect(idsWhere(({ says }) => says.length > 200)).toEqual([]);
    const sentences = listed.map(({ says }) => says.toLowerCase());
    expect(sentences.filter((one, at) => sentences.indexOf(one) !== at)).toEqual([]);
  });

  it('names an owner and a section for each, and no unknown field', () => {
    expect(idsWhere((one) => one.owner.length === 0 || one.owner.some((owner) => !OWNERS.has(owner)))).toEqual([]);
    expect(idsWhere((one) => one.section.trim() === '')).toEqual([]);
    expect(idsWhere((one) => Object.keys(one).some((field) => !FIELDS.has(field)))).toEqual([]);
  });

  it('names only tests and audits that exist', () => {
    const missing = listed.flatMap(({ id, tests, audit }) =>
      [...tests.map((test) => `${test}.test.ts`), ...(audit === undefined ? [] : [audit])]
        .filter((file) => !existsSync(join(root, file)))
        .map((file) => `${id}: ${file}`),
    );
    expect(missing).toEqual([]);
  });

  it('has a test for each, or the issue that will bring one', () => {
    expect(idsWhere((one) => one.tests.length === 0 && one.owed === undefined)).toEqual([]);
    expect(idsWhere((one) => one.tests.length > 0 && one.owed !== undefined)).toEqual([]);
  });

  it('gives every seeded bug at least one invariant to break', () => {
    const named = new Set(listed.flatMap((one) => one.bugs));
    expect(SEEDED_BUGS.filter((bug) => !named.has(bug))).toEqual([]);
    const known = new Set([...SEEDED_BUGS, ...MUTANTS.map(({ name }) => name)]);
    expect([...named].filter((bug) => !known.has(bug))).toEqual([]);
  });

  it('names each mutant with the invariants that it breaks, and no other', () => {
    const named = new Map(MUTANTS.map(({ name }) => [name, idsWhere(({ bugs }) => bugs.includes(name))]));
    const differing = MUTANTS.filter(({ name, breaks }) => named.get(name)?.join() !== breaks.join());
    expect(differing.map(({ name, breaks }) => ({ name, breaks, named: named.get(name) }))).toEqual([]);
    expect(MUTATED_BUGS.filter((bug) => !named.has(bug))).toEqual([]);
  });

  it('names the suites of its mutants among its tests', () => {
    const suites = new Map(MUTANTS.map(({ name, tests = [] }) => [name, tests.map(({ suite }) => suite)]));
    const simulated = new Set(MUTANTS.filter(({ simulation }) => simulation !== undefined).map(({ name }) => name));
    const missing = listed.flatMap(({ id, bugs, tests }) =>
      bugs
        .flatMap((bug) => (simulated.has(bug) ? ['tests/simulation/simulation'] : (suites.get(bug) ?? [])))
        .filter((suite) => !tests.includes(suite))
        .map((suite) => `${id}: ${suite}`),
    );
    expect([...new Set(missing)]).toEqual([]);
  });

  it('names test, audit and mutants for each invariant of signing and money', () => {
    const lacks = (holds: (one: Invariant) => boolean): string[] =>
      idsWhere((one) => SIGNING_AND_MONEY.includes(one.id) && !holds(one));
    expect(lacks(({ tests }) => tests.length > 0)).toEqual([]);
    expect(lacks(({ audit, unaudited }) => (audit === undefined) !== (unaudited === undefined))).toEqual([]);
    expect(lacks(({ bugs }) => MUTANTS.some(({ name }) => bugs.includes(name)))).toEqual([]);
  });

  it('claims no figure above what was reached', () => {
    expect(idsWhere(({ figure }) => figure !== undefined && figure.reached < figure.target)).toEqual([]);
  });
});
