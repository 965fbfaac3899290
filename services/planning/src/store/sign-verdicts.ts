import { setTimeout as delay } from 'node:timers/promises';
import type { OrderCampaign, OrderLine, QuotePart, Refusal } from '@cds/contracts';
import { unavailable } from '@cds/contracts';
import { type Collection, type Deadline, isDuplicate, type Store, type Tx } from '@cds/service';
import type { Evidence } from '../domain/approval/evidence.js';

export type SignVerdict = {
  _id: string;
  ws: string;
  kind: 'signed' | 'refused' | 'closed';
  plan_id: string | null;
  order_id: string | null;
  total_cents: number | null;
  approved_at: Date | null;
  /** A verdict by an older release has no lines. */
  evidence: Evidence | Pick<Evidence, 'at'> | null;
  lines: OrderLine[];
  campaign: OrderCampaign | null;
  quote: QuotePart | null;
  refusal: Refusal | null;
  created_at: Date;
};

export type SignedAt = Pick<SignVerdict, '_id' | 'ws' | 'created_at'>;

export const NOTHING_SIGNED = {
  plan_id: null,
  order_id: null,
  total_cents: null,
  approved_at: null,
  evidence: null,
  lines: [],
  campaign: null,
  quote: null,
  refusal: null,
} as const;

/** The unique `_id` decides every race (docs/reliability.md#signing). One that is gone would read as `closed`. */
export class SignVerdicts {
  readonly rows: Collection<SignVerdict>;

  constructor(store: Store) {
    this.rows = store.collection<SignVerdict>({
      name: 'sign_verdicts',
      indexes: [{ key: { created_at: 1, _id: 1 } }, { key: { ws: 1 } }],
    });
  }

  async before(until: Date, after: SignedAt | null, most: number): Promise<SignedAt[]> {
    const behind =
      after === null
        ? {}
        : {
            $or: [{ created_at: { $gt: after.created_at } }, { created_at: after.created_at, _id: { $gt: after._id } }],
          };
    return this.rows
      .find({ created_at: { $lt: until }, ...behind }, { projection: { ws: 1, created_at: 1 } })
      .sort({ created_at: 1, _id: 1 })
      .limit(most)
      .toArray();
  }

  async remove(signings: readonly Pick<SignVerdict, '_id'>[]): Promise<number> {
    const removed = await this.rows.deleteMany({ _id: { $in: signings.map((one) => one._id) } });
    return removed.deletedCount;
  }

  byId(ws: string, signingId: string): Promise<SignVerdict | null> {
    return this.rows.findOne({ _id: signingId, ws });
  }

  async insert(tx: Tx, verdict: SignVerdict): Promise<void> {
    await this.rows.insertOne({ ...verdict }, tx.options());
  }

  async settle(verdict: SignVerdict, deadline: Deadline): Promise<SignVerdict> {
    try {
      await this.rows.insertOne({ ...verdict }, { maxTimeMS: Math.max(1, deadline.remainingMs()) });
      return verdict;
    } catch (error) {
      if (!isDuplicate(error)) throw error;
      return this.inForce(verdict.ws, verdict._id, deadline);
    }
  }

  /** A majority read may lag behind the failed insertion for a moment. */
  async inForce(ws: string, signingId: string, deadline: Deadline): Promise<SignVerdict> {
    for (let pause = 2; deadline.remainingMs() > pause; pause *= 2) {
      const verdict = await this.byId(ws, signingId);
      if (verdict !== null) return verdict;
      await delay(pause);
    }
    throw unavailable('It is not known yet whether the plan was signed. Retry with the same Idempotency-Key.');
  }
}
