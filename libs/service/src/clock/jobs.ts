import type { Job, LeaseView, ServiceName } from '@cds/contracts';
import type { mongo } from 'mongoose';
import { Deadline } from '../deadline/deadline.js';
import type { Collection } from '../store/collection.js';
import type { Store } from '../store/store.js';

type JobRow = {
  _id: string;
  every_ms: number;
  ran_at?: Date;
  failed_at?: Date;
  error: string | null;
  failures: number;
};

type SweepName = { name: string; everyMs: number };
type JobUpdate = mongo.AnyBulkWriteOperation<JobRow>;

type PutOffRow = { _id: string; sweep: string };
type LeaseRow = { _id: string; until: Date; fence: number };

/** Successes are stored this often, in one write, so that a sweep of every second costs no write of every second. */
const STORED_EVERY_MS = 10_000;

/** What operators see of sweeps and leases (docs/domain/operators.md#jobs). The rows decide nothing. */
export class Jobs {
  private readonly rows: Collection<JobRow>;
  private readonly putOff: Collection<PutOffRow>;
  private readonly leases: Collection<LeaseRow>;
  /** The sweeps whose newest success is stored or waits to be. */
  private readonly stored = new Set<string>();
  /** Successes since the last store. */
  private readonly succeeded = new Map<string, JobUpdate>();
  private storedAt = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly service: ServiceName,
    private readonly store: Store,
  ) {
    this.rows = store.collection<JobRow>({ name: 'jobs' });
    this.putOff = store.collection<PutOffRow>({ name: 'put_off' });
    this.leases = store.collection<LeaseRow>({ name: 'leases' });
  }

  /** Notes how a run ended: a failure and the first success after it at once, others together. Never raises. */
  async ended(sweep: SweepName, error: unknown = null): Promise<void> {
    if (error !== null) {
      this.stored.delete(sweep.name);
      this.succeeded.delete(sweep.name);
      return this.save([updateOf(sweep, failedWith(error))]);
    }
    if (performance.now() - this.storedAt >= STORED_EVERY_MS || !this.stored.has(sweep.name)) {
      this.succeeded.set(sweep.name, updateOf(sweep, succeededNow));
      return this.flush();
    }
    const at = await this.store.about().catch(() => null);
    if (at !== null) this.succeeded.set(sweep.name, updateOf(sweep, succeededAt(at)));
  }

  async flush(): Promise<void> {
    const updates = [...this.succeeded.values()];
    for (const name of this.succeeded.keys()) this.stored.add(name);
    this.succeeded.clear();
    this.storedAt = performance.now();
    if (updates.length > 0) await this.save(updates);
  }

  private async save(updates: JobUpdate[]): Promise<void> {
    await this.rows.bulkWrite(updates, { ordered: false }).catch(() => this.stored.clear());
  }

  /** Every sweep that ever ran and every lease, by name. */
  report(deadline: Deadline = Deadline.in(2_000)): Promise<{ jobs: Job[]; leases: LeaseView[] }> {
    return deadline.run(async () => {
      const [rows, waiting, leases, now] = await Promise.all([
        this.rows.find({}, { sort: { _id: 1 } }).toArray(),
        this.putOff.aggregate<{ _id: string; n: number }>([{ $group: { _id: '$sweep', n: { $sum: 1 } } }]).toArray(),
        this.leases.find({}, { sort: { _id: 1 } }).toArray(),
        this.store.now(),
      ]);
      const putOff = new Map(waiting.map(({ _id, n }) => [_id, n]));
      return {
        jobs: rows.map((row) => this.shownJob(row, putOff.get(row._id) ?? 0)),
        leases: leases.map(({ _id, until, fence }) => ({
          service: this.service,
          name: _id,
          held: until > now,
          until: until.toISOString(),
          fence,
        })),
      };
    });
  }

  private shownJob(row: JobRow, putOff: number): Job {
    const last = row.ran_at === undefined || (row.failed_at ?? new Date(0)) > row.ran_at ? row.failed_at : row.ran_at;
    const next = last === undefined ? null : new Date(last.getTime() + row.every_ms + STORED_EVERY_MS);
    return {
      service: this.service,
      name: row._id,
      every_ms: row.every_ms,
      last_run_at: last?.toISOString() ?? null,
      next_run_at: next?.toISOString() ?? null,
      failures: row.failures,
      last_failed_at: row.failed_at?.toISOString() ?? null,
      last_error: row.error,
      put_off: putOff,
    };
  }
}

const updateOf = ({ name, everyMs }: SweepName, outcome: Record<string, unknown>): JobUpdate => ({
  updateOne: { filter: { _id: name }, update: [{ $set: { every_ms: everyMs, ...outcome } }], upsert: true },
});

const succeededNow = { ran_at: { $max: ['$ran_at', '$$NOW'] }, failures: 0, error: null };

/** A success that is stored late must not hide a failure that came after it; at the same moment the failure counts. */
const succeededAt = (at: Date) => {
  const unlessFailed = (otherwise: string, after: unknown) => ({
    $cond: [{ $gte: [{ $ifNull: ['$failed_at', new Date(0)] }, at] }, { $ifNull: [otherwise, null] }, after],
  });
  return {
    ran_at: { $max: ['$ran_at', at] },
    failures: unlessFailed('$failures', 0),
    error: unlessFailed('$error', null),
  };
};

const failedWith = (error: unknown) => ({
  failed_at: '$$NOW',
  failures: { $add: [{ $ifNull: ['$failures', 0] }, 1] },
  error: { $literal: kindOf(error) },
});

/** What may be shown of an error: its kind only, since a message can hold a handle or an address. */
const kindOf = (error: unknown): string => (error instanceof Error ? error.name : 'unknown');
