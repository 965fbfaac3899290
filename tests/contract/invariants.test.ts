import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SERVICES } from '@cds/contracts';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';

const root = join(import.meta.dirname, '..', '..');

/** One entry of invariants.yaml (docs/reliability.md#invariants-file). */
type Invariant = {
  id: string;
  /** What always holds, in one plain sentence. */
  says: string;
  owner: string[];
  section: string;
  /** Test files from the root, without their ending. */
  tests: string[];
  audit?: string;
  /** Seeded bugs that break it (docs/reliability.md#seeded-bugs). */
  bugs: string[];
  /** The issue that brings its first test; only where `tests` is empty. */
  owed?: string;
  figure?: { layer: string; target: number; reached: number; date: string; seed?: number };
};

const numbered = (letter: string, count: number): string[] =>
  Array.from({ length: count }, (_none, at) => `${letter}${String(at + 1).padStart(2, '0')}`);

const INVARIANTS = numbered('I', 66);
const SEEDED_BUGS = numbered('B', 40);
const OWNERS: ReadonlySet<string> = new Set([...SERVICES, 'all']);
const FIELDS = new Set(['id', 'says', 'owner', 'section', 'tests', 'audit', 'bugs', 'owed', 'figure']);

describe('invariants.yaml', () => {
  let listed: Invariant[] = [];

  beforeAll(async () => {
    listed = parse(await readFile(join(root, 'invariants.yaml'), 'utf8')) as Invariant[];
  });

  const idsWhere = (holds: (one: Invariant) => boolean): string[] => listed.filter(holds).map((one) => one.id);

  it('holds each of the 66 invariants once, in order', () => {
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
    expect([...named].filter((bug) => !SEEDED_BUGS.includes(bug))).toEqual([]);
  });

  it('claims no figure above what was reached', () => {
    expect(idsWhere(({ figure }) => figure !== undefined && figure.reached < figure.target)).toEqual([]);
  });
});
