import type { LineChange, PlanVersion, VersionLine } from './plan-version.js';

// Versions are many, and each may change every line. So of a line that stays only what can change is kept; the rest is
// known from the plan, or from the version that took the line out.

type Altered = Pick<VersionLine, 'scheduled_date' | 'price_cents'>;

type Alteration = Pick<LineChange, 'line_id' | 'change'> & { from: Altered; to: Altered };
export type ShortChange = LineChange | Alteration;

export type ShortVersion = Pick<PlanVersion, 'version'> & { changes: readonly ShortChange[] };

const altered = ({ scheduled_date, price_cents }: VersionLine): Altered => ({ scheduled_date, price_cents });

export const shortChanges = (changes: readonly LineChange[]): ShortChange[] =>
  changes.map((one) => {
    const { line_id, change, before, after } = one;
    if (before === null || after === null || before.id !== after.id) return one;
    return { line_id, change, from: altered(before), to: altered(after) };
  });

/** `versions` are the newest without a gap, `lines` the plan's at any moment since the oldest of them. */
export const fullChanges = (
  versions: readonly ShortVersion[],
  lines: readonly VersionLine[],
): ReadonlyMap<number, LineChange[]> => {
  const stated = versions.flatMap(({ changes }) =>
    changes.flatMap((one) => ('from' in one ? [] : [one.before, one.after])),
  );
  const known = new Map([...lines, ...stated].flatMap((line) => (line === null ? [] : [[line.id, line] as const])));
  const lineOf = (id: string, now: Altered): VersionLine => {
    const line = known.get(id);
    if (line === undefined) throw new Error(`neither the plan nor a version of it says what line ${id} is`);
    return { ...line, ...now };
  };
  const full = (one: ShortChange): LineChange => {
    if (!('from' in one)) return one;
    const { line_id, change, from, to } = one;
    return { line_id, change, before: lineOf(line_id, from), after: lineOf(line_id, to) };
  };
  return new Map(versions.map(({ version, changes }) => [version, changes.map(full)]));
};
