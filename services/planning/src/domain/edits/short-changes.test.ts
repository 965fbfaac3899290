import { describe, expect, it } from '@jest/globals';
import { aLine, aUnit } from '../../test/builders.js';
import type { Line } from '../plan.js';
import { lineChanges, versionLine } from './plan-version.js';
import { fullChanges, shortChanges } from './short-changes.js';

const [A, B, C] = [aLine(aUnit()), aLine(aUnit()), aLine(aUnit())] as const;
const on = (line: Line, scheduled_date: string, price_cents = line.price_cents): Line => ({
  ...line,
  scheduled_date,
  price_cents,
});

/** The states of a plan from the first on, and the changes from each to the next. */
const HISTORY: readonly (readonly Line[])[] = [
  [A, B],
  [on(A, '2026-12-08'), on(B, '2026-12-09')],
  [on(A, '2026-12-08', 47_000), on(B, '2026-12-09')],
  [on(C, '2026-12-10'), on(B, '2026-12-09')],
  [on(C, '2026-12-11'), on(B, '2026-12-12', 1)],
  [on(C, '2026-12-13')],
];
const CHANGES = HISTORY.map((lines, at) => lineChanges(HISTORY[at - 1] ?? [], lines));

describe('the changes of versions, stored in short', () => {
  it('are those that were made, also of lines that were swapped or removed since', () => {
    const versions = CHANGES.map((changes, at) => ({ version: at + 1, changes: shortChanges(changes) })).reverse();
    const full = fullChanges(versions, (HISTORY.at(-1) ?? []).map(versionLine));
    expect(CHANGES.map((_, at) => full.get(at + 1))).toEqual(CHANGES);
  });

  it('name nothing that a change cannot alter of a line that stays', () => {
    const moved = shortChanges(CHANGES[1] ?? []);
    expect(moved).toHaveLength(2);
    for (const change of moved) expect(Object.keys(change)).toEqual(['line_id', 'change', 'from', 'to']);
    expect(JSON.stringify(moved)).not.toContain(A.unit_id);
  });

  it('are found beside a plan that was read before the newest versions', () => {
    const versions = CHANGES.map((changes, at) => ({ version: at + 1, changes: shortChanges(changes) }));
    expect(fullChanges(versions, (HISTORY[0] ?? []).map(versionLine)).get(5)).toEqual(CHANGES[4]);
  });

  it('are read as they are where they were stored in full, as every one was before', () => {
    const versions = CHANGES.map((changes, at) => ({ version: at + 1, changes })).reverse();
    const full = fullChanges(versions, (HISTORY.at(-1) ?? []).map(versionLine));
    expect(CHANGES.map((_, at) => full.get(at + 1))).toEqual(CHANGES);
  });
});
