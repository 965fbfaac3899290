import type { HistoryLine, LINE_CHANGES, PlanWrite } from '@cds/contracts';
import { type Line, type Plan, totalOf } from '../plan.js';

export type WrittenBy = { actor: string; action: PlanWrite; at: Date };

export type VersionLine = Pick<Line, Exclude<keyof HistoryLine, 'channel_label'>>;

export type LineChange = {
  line_id: string;
  change: (typeof LINE_CHANGES)[number];
  before: VersionLine | null;
  after: VersionLine | null;
};

export type PlanVersion = WrittenBy & {
  _id: string;
  ws: string;
  plan_id: string;
  version: number;
  total_cents: number;
  terms_fingerprint: string;
  changes: LineChange[];
};

/** `before` is the version it replaces, null for the first. */
export const planVersion = (before: Plan | null, plan: Plan, by: WrittenBy): PlanVersion => ({
  _id: `${plan._id}|${plan.version}`,
  ws: plan.ws,
  plan_id: plan._id,
  version: plan.version,
  ...by,
  total_cents: totalOf(plan.lines),
  terms_fingerprint: plan.terms_fingerprint,
  changes: lineChanges(before?.lines ?? [], plan.lines),
});

/** In the order of the plan: a line that takes another's place is swapped, one that stays may be moved and repriced. */
export const lineChanges = (before: readonly Line[], after: readonly Line[]): LineChange[] => {
  const former = new Map(before.map((line) => [line.id, line]));
  const kept = new Set(after.map(({ id }) => id));
  const replacedAt = (place: number): Line | undefined => {
    const line = before.length === after.length ? before[place] : undefined;
    return line === undefined || kept.has(line.id) ? undefined : line;
  };

  const swapped = new Set<string>();
  const changes = after.flatMap((line, place): LineChange[] => {
    const same = former.get(line.id);
    if (same !== undefined) return changesOf(same, line);
    const replaced = replacedAt(place);
    if (replaced === undefined) return [changeOf('added', null, line)];
    swapped.add(replaced.id);
    return [changeOf('swapped', replaced, line)];
  });
  const removed = before.filter(({ id }) => !kept.has(id) && !swapped.has(id));
  return [...changes, ...removed.map((line) => changeOf('removed', line, null))];
};

const changesOf = (before: Line, after: Line): LineChange[] => [
  ...(before.scheduled_date === after.scheduled_date ? [] : [changeOf('moved', before, after)]),
  ...(before.price_cents === after.price_cents ? [] : [changeOf('repriced', before, after)]),
];

const changeOf = (change: LineChange['change'], before: Line | null, after: Line | null): LineChange => ({
  line_id: (after ?? before)?.id ?? '',
  change,
  before: before && versionLine(before),
  after: after && versionLine(after),
});

export const versionLine = ({
  id,
  creator_id,
  unit_id,
  channel,
  format,
  deliverable,
  scheduled_date,
  price_cents,
}: Line): VersionLine => ({
  id,
  creator_id,
  unit_id,
  channel,
  format,
  deliverable,
  scheduled_date,
  price_cents,
});
