import type { BaseShell } from '@cds/service';
import { counterOf } from '@cds/service';

/** So many free texts in a row, each longer than the last and beginning with it, spell a handle out (A). */
const SPELLING_FROM = 4;
/** Workspaces watched at once; the one that asked longest ago is forgotten first. */
const WATCHED_MAX = 10_000;

const alarms = counterOf('cds_handle_enumeration', 'Workspaces whose free texts extended each other.');

/** Counts free texts of a workspace that extend each other, and raises an alarm (reliability 3.9). Keeps no text longer than the next. */
export class EnumerationDetector {
  private readonly last = new Map<string, { part: string; run: number }>();

  constructor(private readonly log: Pick<BaseShell['log'], 'warn'>) {}

  /** Notes what a workspace asked of handles, and answers how many texts in a row extended each other. */
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
      this.log.warn({ alarm: 'handle_enumeration', workspace }, 'free texts of a workspace spell something out');
    }
    return run;
  }
}
