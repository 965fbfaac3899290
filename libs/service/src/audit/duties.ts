import type { Collection } from '../store/collection.js';
import type { Store } from '../store/store.js';

type Duty = 'checkpoint' | 'verify';
type DutyRow = { _id: Duty; done_at: Date };

export class AuditDuties {
  private readonly rows: Collection<DutyRow>;

  constructor(private readonly store: Store) {
    this.rows = store.collection<DutyRow>({ name: 'audit_duties' });
  }

  /** Whether a duty was last done longer than `everyMs` ago, or never. */
  async due(duty: Duty, everyMs: number): Promise<boolean> {
    const [row, now] = await Promise.all([this.rows.findOne({ _id: duty }), this.store.about()]);
    return row === null || now.getTime() - row.done_at.getTime() >= everyMs;
  }

  async done(duty: Duty, at: Date): Promise<void> {
    await this.rows.updateOne({ _id: duty }, { $max: { done_at: at } }, { upsert: true });
  }
}
