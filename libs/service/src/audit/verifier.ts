import type { AuditCheckpoint } from '@cds/contracts';
import type { Logger } from 'pino';
import { ofNetwork, type Sweep } from '../clock/sweeps.js';
import { raiseAlarm } from '../logs/raise-alarm.js';
import { counterOf } from '../telemetry/metrics.js';
import { type Audit, shownEntry } from './audit.js';
import { ChainCheck, type ChainFinding } from './chain-check.js';
import { isSigned } from './signature.js';
import type { CheckpointWorkDeps } from './work-deps.js';

const LOOK_EVERY_MS = 60_000;
const VERIFY_EVERY_MS = 86_400_000;
const PAGE = 1_000;

const findingsCounted = counterOf('cds_audit_findings_total');

/** Stands for the sink itself in a finding that is about no chain. */
export const SINK = '*';

/**
 * A place of a chain, a checkpoint whose signature fails, the first and last of those missing in the sink, or how many
 * of its lines cannot be read, from `seq`.
 */
export type AuditFinding =
  | ChainFinding
  | { problem: 'forged'; workspace: string; seq: number }
  | { problem: 'checkpoint_missing'; workspace: string; seq: number; last: number }
  | { problem: 'unreadable'; workspace: typeof SINK; seq: number; lines: number };

type Signed = Map<string, Map<number, string>>;

type VerifierDeps = CheckpointWorkDeps & {
  log: Pick<Logger, 'error' | 'info'>;
  audit: Audit;
  /** The public keys whose signatures count: the current one, and those of before. */
  trusted: ReadonlySet<string>;
  /** Opens the operator's task about a chain, once however often it is found broken first at the same place. */
  openTask: (workspace: string, findings: readonly AuditFinding[], at: Date) => Promise<void>;
};

/** Recomputes every chain once a day against the checkpoints outside, and raises alarms (docs/reliability.md#audit). */
export class Verifier {
  private stopped = false;

  constructor(private readonly deps: VerifierDeps) {}

  sweep(): Sweep {
    return ofNetwork('audit verifier', LOOK_EVERY_MS, () => this.run());
  }

  /** Ends a running verification at its next page; it stays due. */
  stop(): void {
    this.stopped = true;
  }

  async run(everyMs = VERIFY_EVERY_MS): Promise<number> {
    const { store, log, duties, lease, openTask } = this.deps;
    if (!(await lease.hold()) || !(await duties.due('verify', everyMs))) return 0;
    const at = await store.now();
    const findings = await this.verify();
    if (findings === null) return 0;
    for (const finding of findings) {
      findingsCounted.add(1, { problem: finding.problem });
      raiseAlarm(log, 'audit_chain_broken', finding, 'the audit does not match its checkpoints');
    }
    for (const [workspace, found] of Map.groupBy(findings, (finding) => finding.workspace))
      await openTask(workspace, found, at);
    await duties.done('verify', at);
    log.info({ findings: findings.length }, 'the audit was verified');
    return findings.length;
  }

  /** All findings; null when it was stopped, or another replica took the lease meanwhile. */
  async verify(): Promise<AuditFinding[] | null> {
    const { audit, heads, checkpoints } = this.deps;
    // Read before the sink, which holds a checkpoint before the database says so.
    const written = await checkpoints.newest();
    for (const [ws, seq] of await heads.checkpoints()) written.set(ws, Math.max(seq, written.get(ws) ?? 0));
    const signed: Signed = new Map();
    const findings = await this.readSink(signed);

    const workspaces = new Set([...written.keys(), ...(await audit.workspaces()), ...signed.keys()]);
    for (const ws of workspaces) {
      const chain = signed.get(ws) ?? new Map<number, string>();
      const missing = await this.missing(ws, written.get(ws) ?? 0, chain);
      if (missing !== null) findings.push(missing);
      const found = await this.verifyChain(ws, chain);
      if (found === null || !(await this.goesOn())) return null;
      findings.push(...found);
    }
    return findings;
  }

  private async goesOn(): Promise<boolean> {
    return !this.stopped && (await this.deps.lease.hold());
  }

  private async readSink(signed: Signed): Promise<AuditFinding[]> {
    const findings: AuditFinding[] = [];
    let line = 0;
    const unreadable: number[] = [];
    for await (const checkpoint of this.deps.sink.read()) {
      line += 1;
      const forged = checkpoint === null ? null : this.take(checkpoint, signed);
      if (checkpoint === null) unreadable.push(line);
      if (forged !== null) findings.push(forged);
    }
    // The last line may be half written right now. What it should say is missing then, if it was ever whole.
    if (unreadable.at(-1) === line) unreadable.pop();
    const [first] = unreadable;
    if (first !== undefined)
      findings.push({ problem: 'unreadable', workspace: SINK, seq: first, lines: unreadable.length });
    return findings;
  }

  /** Checkpoints of a chain up to `newest` that the database has seen written, and that the sink does not hold. */
  private async missing(
    workspace: string,
    newest: number,
    signed: ReadonlyMap<number, string>,
  ): Promise<AuditFinding | null> {
    const copies = newest === 0 ? [] : await this.deps.checkpoints.places(workspace, newest);
    const places = [...copies, ...(newest === 0 ? [] : [newest])].filter((seq) => !signed.has(seq));
    const [first] = places;
    return first === undefined
      ? null
      : { problem: 'checkpoint_missing', workspace, seq: first, last: places.at(-1) ?? first };
  }

  /** Notes what a checkpoint signs. Two that disagree about a place mean that the chain was rewritten in between. */
  private take(checkpoint: AuditCheckpoint, signed: Signed): AuditFinding | null {
    const { workspace, seq, hash, service } = checkpoint;
    if (!this.deps.trusted.has(checkpoint.key) || !isSigned(checkpoint) || service !== this.deps.service)
      return { problem: 'forged', workspace, seq };
    const chain = signed.get(workspace) ?? new Map<number, string>();
    signed.set(workspace, chain);
    const earlier = chain.get(seq);
    if (earlier !== undefined && earlier !== hash) return { problem: 'rewritten', workspace, seq };
    chain.set(seq, hash);
    return null;
  }

  private async verifyChain(ws: string, signed: ReadonlyMap<number, string>): Promise<readonly ChainFinding[] | null> {
    const { service, audit, heads } = this.deps;
    // Read first: the chain may grow meanwhile, and what is added is checked the next time.
    const head = await heads.one(ws);
    const check = new ChainCheck(ws, signed);
    for (let after: number | undefined = 0; after !== undefined; ) {
      if (!(await this.goesOn())) return null;
      const page = await audit.chain(ws, after, PAGE);
      for (const row of page) if (row.seq <= head.seq || head.seq === 0) check.add(shownEntry(service, row));
      after = page.length < PAGE ? undefined : page.at(-1)?.seq;
    }
    return check.end(head);
  }
}
