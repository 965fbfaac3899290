import {
  type Collection,
  isDuplicate,
  LostRace,
  type SandboxHorizon,
  type Store,
  stepping,
  type Tx,
} from '@cds/service';
import type { SandboxSession } from './sandbox-session.js';

export class SandboxSessions {
  private readonly rows: Collection<SandboxSession>;

  constructor(store: Store) {
    this.rows = store.collection<SandboxSession>({
      name: 'sandbox_sessions',
      indexes: [{ key: { state: 1, settles_at: 1 } }, { key: { ws: 1, state: 1, settles_at: 1 } }],
    });
  }

  async byKey(ws: string, railKey: string): Promise<SandboxSession | null> {
    return this.rows.findOne({ _id: railKey, ws });
  }

  async open(session: SandboxSession): Promise<SandboxSession> {
    try {
      await this.rows.insertOne(session);
      return session;
    } catch (error) {
      if (!isDuplicate(error)) throw error;
      return (await this.byKey(session.ws, session._id)) ?? session;
    }
  }

  /** Raises LostRace when its state changed meanwhile. */
  async save(before: SandboxSession | null, after: SandboxSession, tx?: Tx): Promise<void> {
    const options = tx?.options() ?? {};
    if (before === null) {
      await this.rows.insertOne(after, options).catch((error: unknown) => {
        throw isDuplicate(error) ? new LostRace('sandbox session') : error;
      });
      return;
    }
    const { _id, ...rest } = after;
    const saved = await this.rows.updateOne({ _id, ws: before.ws, state: before.state }, { $set: rest }, options);
    if (saved.matchedCount !== 1) throw new LostRace('sandbox session');
  }

  /** Returns false when it is more than is left. */
  async repay(ws: string, railKey: string, refund: { key: string; amount_cents: number }): Promise<boolean> {
    const repaid = { $sum: { $ifNull: ['$refunds.amount_cents', []] } };
    const isRoom = { $lte: [{ $add: [repaid, refund.amount_cents] }, '$amount_cents'] };
    const added = await this.rows.updateOne(
      { _id: railKey, ws, state: 'paid', 'refunds.key': { $ne: refund.key }, $expr: isRoom },
      { $push: { refunds: refund } },
    );
    if (added.matchedCount === 1) return true;
    return (await this.rows.findOne({ _id: railKey, ws, 'refunds.key': refund.key })) !== null;
  }

  async settlingOf(ws: string, until: Date, without: readonly string[]): Promise<SandboxSession[]> {
    return this.rows
      .find({ ...stepping(without), ws, state: 'pending', settles_at: { $lte: until } })
      .sort({ settles_at: 1 })
      .limit(200)
      .toArray();
  }

  /** With the earliest of each, since clocks differ. */
  async workspacesSettling(horizon: SandboxHorizon): Promise<{ ws: string; due_at: Date }[]> {
    return this.rows
      .aggregate<{ ws: string; due_at: Date }>([
        { $match: { state: 'pending', settles_at: { $lte: horizon } } },
        { $group: { _id: '$ws', due_at: { $min: '$settles_at' } } },
        { $project: { _id: 0, ws: '$_id', due_at: 1 } },
      ])
      .toArray();
  }

  async settlements(ws: string, limit: number): Promise<Date[]> {
    const found = await this.rows
      .find({ ws, state: 'pending' }, { projection: { settles_at: 1 } })
      .sort({ settles_at: 1 })
      .limit(limit)
      .toArray();
    return found.flatMap((session) => (session.settles_at === null ? [] : [session.settles_at]));
  }
}
