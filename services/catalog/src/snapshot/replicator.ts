import { type BaseShell, readingOf } from '@cds/service';
import type { NetworkChanges, NetworkStream, Position } from '../store/network-changes.js';
import type { Audiences } from './audiences.js';
import type { NetworkMemory } from './memory.js';

/** How often a heartbeat is written, and the lag at which a replica stops answering. */
const BEAT_EVERY_MS = 1_000;
const LAG_MAX_MS = 5_000;
/** Changes that arrive within this many milliseconds are applied together. */
const BATCH_MS = 20;
const REOPEN_MS = 500;

export type QueueGroup = { leave: () => Promise<void>; join: () => void };

/**
 * Follows a change stream (docs/reliability.md#catalog-memory). Five seconds behind by its heartbeat, the replica
 * leaves the queue group and rebuilds once the stream moves again.
 */
export class NetworkReplicator {
  private stream: NetworkStream | null = null;
  private from: Position | null = null;
  private readonly changed = new Set<string>();
  private readonly sent = new Map<number, number>();
  private beatNumber = 0;
  private behind = false;
  private stopped = false;
  private queueGroup: QueueGroup = { leave: async () => undefined, join: () => undefined };
  private readonly timers = new Map<'beat' | 'flush' | 'reopen', NodeJS.Timeout>();
  private working: Promise<void> = Promise.resolve();

  constructor(
    private readonly changes: NetworkChanges,
    private readonly memory: Pick<NetworkMemory, 'take' | 'rebuild'>,
    private readonly audiences: Pick<Audiences, 'forget' | 'forgetAll'>,
    private readonly day: () => Promise<string>,
    private readonly log: BaseShell['log'],
  ) {
    readingOf('cds_snapshot_lag_seconds', () => this.lag() / 1_000);
    readingOf('cds_snapshot_answering', () => (this.behind ? 0 : 1));
  }

  async start(): Promise<void> {
    this.from = await this.changes.present();
    this.open(this.from);
    this.beat();
  }

  attach(queueGroup: QueueGroup): void {
    this.queueGroup = queueGroup;
  }

  async stop(): Promise<void> {
    this.stopped = true;
    for (const timer of this.timers.values()) clearTimeout(timer);
    await this.stream?.close().catch(() => undefined);
    await this.working.catch(() => undefined);
  }

  lag(): number {
    const [oldest] = this.sent.values();
    return oldest === undefined ? 0 : performance.now() - oldest;
  }

  problem(): string | null {
    return this.behind ? 'the network in memory is more than five seconds behind' : null;
  }

  private open(from: Position): void {
    if (this.stopped) return;
    const { changes: stream, read } = this.changes.watch(from);
    this.stream = stream;
    stream.on('change', (change) => {
      const { creator, audience, beat, token } = read(change);
      if (audience !== null) this.audiences.forget(audience);
      if (creator !== null) this.changed.add(creator);
      if (beat !== null) for (const n of [...this.sent.keys()]) if (n <= beat) this.sent.delete(n);
      this.later('flush', BATCH_MS, () => this.flush(token));
      if (this.behind && this.lag() < LAG_MAX_MS) this.recover();
    });
    stream.on('error', (err) => {
      this.log.warn({ err }, 'the network change stream ended; reopening it');
      void stream.close().catch(() => undefined);
      // If the resume point is gone from the oplog, everything is read again.
      if (isLost(err)) {
        this.from = null;
        this.fallBehind();
      }
      this.reopen();
    });
  }

  private reopen(): void {
    this.later('reopen', REOPEN_MS, () => {
      const present = this.from === null ? this.changes.present() : Promise.resolve(this.from);
      present.then(
        (from) => {
          this.from = from;
          this.open(from);
        },
        () => this.reopen(),
      );
    });
  }

  private beat(): void {
    if (this.stopped) return;
    if (!this.behind && this.lag() > LAG_MAX_MS) this.fallBehind();
    this.beatNumber += 1;
    const n = this.beatNumber;
    this.sent.set(n, performance.now());
    // A failed write is never seen in the stream either, so the lag grows as it should.
    this.changes.beat(n).catch(() => undefined);
    this.later('beat', BEAT_EVERY_MS, () => this.beat());
  }

  private flush(token: unknown): void {
    const ids = [...this.changed];
    this.changed.clear();
    this.working = this.working.then(async () => {
      try {
        if (ids.length > 0) await this.memory.take(ids, await this.day());
        this.from = { resumeAfter: token };
      } catch (err) {
        this.log.warn({ err }, 'changed creators could not be read; retrying');
        for (const id of ids) this.changed.add(id);
        this.later('flush', REOPEN_MS, () => this.flush(token));
      }
    });
  }

  private fallBehind(): void {
    if (this.behind) return;
    this.behind = true;
    this.log.error(
      { lag_ms: Math.round(this.lag()) },
      'the network in memory is behind; this replica stopped answering',
    );
    void this.queueGroup.leave();
  }

  private recover(): void {
    this.working = this.working.then(async () => {
      if (!this.behind) return;
      try {
        await this.memory.rebuild(await this.day());
        this.audiences.forgetAll();
        this.behind = false;
        this.queueGroup.join();
        this.log.info('the network in memory is current again');
      } catch (err) {
        this.log.warn({ err }, 'the network could not be rebuilt; retrying');
      }
    });
  }

  private later(name: 'beat' | 'flush' | 'reopen', ms: number, work: () => void): void {
    if (this.stopped || this.timers.has(name)) return;
    this.timers.set(
      name,
      setTimeout(() => {
        this.timers.delete(name);
        work();
      }, ms),
    );
  }
}

/** ChangeStreamHistoryLost, or a token that cannot be resumed. */
const isLost = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'code' in error && (error.code === 286 || error.code === 280);
