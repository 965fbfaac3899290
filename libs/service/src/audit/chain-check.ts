import type { AuditEntry } from '@cds/contracts';
import { hashOf, NO_PREVIOUS } from './entry.js';

/** An edited, missing or unlinked entry, or a chain that a signed statement contradicts or outlasts. */
export type ChainProblem = 'edited' | 'dropped' | 'relinked' | 'rewritten' | 'truncated';

/** A finding names the place in the chain, or the first and the last of several missing ones. */
export type ChainFinding = { problem: ChainProblem; workspace: string; seq: number; last?: number };

/** Recomputes one chain from its first entry on, and compares it with the hashes that checkpoints signed. */
export class ChainCheck {
  readonly findings: ChainFinding[] = [];
  private seq = 0;
  private hash = NO_PREVIOUS;
  /** There is no previous entry to compare with. */
  private broken = false;

  constructor(
    private readonly workspace: string,
    private readonly signed: ReadonlyMap<number, string>,
  ) {}

  add(entry: AuditEntry): void {
    if (entry.seq > this.seq + 1) {
      this.found('dropped', this.seq + 1, entry.seq - 1);
      this.broken = true;
    }
    const edited = hashOf(entry) !== entry.hash;
    if (edited) this.found('edited', entry.seq);
    else if (!this.broken && entry.prev !== this.hash) this.found('relinked', entry.seq);
    const signed = this.signed.get(entry.seq);
    if (!edited && signed !== undefined && signed !== entry.hash) this.found('rewritten', entry.seq);
    this.seq = entry.seq;
    this.hash = entry.hash;
    this.broken = edited;
  }

  /** Ends the chain, which has to reach `head` and every signed place. */
  end(head: { seq: number; hash: string }): readonly ChainFinding[] {
    const last = Math.max(head.seq, ...this.signed.keys());
    if (last > this.seq) this.found('truncated', this.seq + 1, last);
    else if (head.seq !== this.seq || (head.hash !== this.hash && !this.broken)) this.found('rewritten', this.seq);
    return this.findings;
  }

  private found(problem: ChainProblem, seq: number, last?: number): void {
    this.findings.push({ problem, workspace: this.workspace, seq, ...(last === undefined ? {} : { last }) });
  }
}
