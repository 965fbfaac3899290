import { type BaseShell, counterOf, raiseAlarm } from '@cds/service';

const SPELLING_FROM = 4;
/** Workspaces watched at once; the least recently active is forgotten first. */
const WATCHED_MAX = 10_000;
/** Probes remembered of each. */
const PROBES_KEPT = 64;

const alarms = counterOf('cds_handle_enumeration_total');

/** Whether two words differ in their last letter alone, or one has a letter more. */
const areNear = (one: string, other: string): boolean => {
  const [short, long] = one.length <= other.length ? [one, other] : [other, one];
  return one !== other && long.length - short.length <= 1 && long.startsWith(short.slice(0, long.length - 1));
};

/** Detects a workspace whose searches try letters one by one, with wrong guesses too (docs/reliability.md#handles). */
export class EnumerationDetector {
  private readonly probes = new Map<string, Map<string, number>>();

  constructor(private readonly log: Pick<BaseShell['log'], 'error'>) {}

  /** Answers how many probes lead to this one, itself included, each nearly the one before. */
  note(workspace: string, part: string): number {
    const known = this.probes.get(workspace) ?? new Map<string, number>();
    const runs = [...known].flatMap(([other, run]) => (areNear(other, part) ? [run] : []));
    const run = known.get(part) ?? 1 + Math.max(0, ...runs);
    const isNew = !known.has(part);
    known.delete(part);
    known.set(part, run);
    if (known.size > PROBES_KEPT) known.delete(known.keys().next().value ?? '');
    this.probes.delete(workspace);
    this.probes.set(workspace, known);
    if (this.probes.size > WATCHED_MAX) this.probes.delete(this.probes.keys().next().value ?? '');
    if (isNew && run === SPELLING_FROM) {
      alarms.add(1);
      raiseAlarm(
        this.log,
        'handle_enumeration',
        { workspace },
        'searches of a workspace spell something out letter by letter',
      );
    }
    return run;
  }
}
