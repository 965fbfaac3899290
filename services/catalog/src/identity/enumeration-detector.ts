import { type BaseShell, counterOf, raiseAlarm } from '@cds/service';

const SPELLING_FROM = 4;
/** Workspaces watched at once; the least recently active is forgotten first. */
const WATCHED_MAX = 10_000;

const alarms = counterOf('cds_handle_enumeration_total');

/** Detects a workspace whose searches extend each other letter by letter (docs/reliability.md#handles). */
export class EnumerationDetector {
  private readonly last = new Map<string, { part: string; run: number }>();

  constructor(private readonly log: Pick<BaseShell['log'], 'error'>) {}

  note(workspace: string, part: string): number {
    const before = this.last.get(workspace);
    const extended = before !== undefined && part.length > before.part.length && part.startsWith(before.part);
    const run = extended ? before.run + 1 : 1;
    this.last.delete(workspace);
    const oldest = this.last.keys().next();
    if (this.last.size >= WATCHED_MAX && oldest.done !== true) this.last.delete(oldest.value);
    this.last.set(workspace, { part, run });
    if (run === SPELLING_FROM) {
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
