import {
  type Collection,
  LostRace,
  type NetworkTime,
  type SandboxHorizon,
  type Store,
  stepping,
  type Tx,
} from '@cds/service';
import type { Order } from '../domain/order.js';

const AT_ONCE = 200;

export class Orders {
  readonly rows: Collection<Order>;

  constructor(store: Store) {
    this.rows = store.collection<Order>({
      name: 'orders',
      indexes: [
        { key: { plan_id: 1 }, unique: true },
        { key: { pay_token_hash: 1 }, unique: true },
        { key: { sandbox: 1, payment_state: 1, pay_expires_at: 1 } },
        { key: { ws: 1, payment_state: 1, pay_expires_at: 1 } },
        { key: { 'session.state': 1, 'session.opened_at': 1 } },
        { key: { ws: 1, signed_at: -1, _id: -1 } },
        { key: { signed_at: -1, _id: -1 } },
        { key: { payment_state: 1, signed_at: -1, _id: -1 } },
      ],
    });
  }

  async byId(ws: string, id: string, tx?: Tx): Promise<Order | null> {
    return this.rows.findOne({ _id: id, ws }, tx?.options());
  }

  async exists(ws: string, id: string): Promise<boolean> {
    return (await this.rows.findOne({ _id: id, ws }, { projection: { _id: 1 } })) !== null;
  }

  async byTokenHash(hash: string): Promise<Order | null> {
    return this.rows.findOne({ pay_token_hash: hash });
  }

  async insert(tx: Tx, order: Order): Promise<void> {
    await this.rows.insertOne(order, tx.options());
  }

  /** Raises LostRace when the order changed since `before` was read. */
  async save(before: Order, after: Order, tx?: Tx): Promise<Order> {
    const saved = { ...after, rev: before.rev + 1 };
    const result = await this.rows.replaceOne(
      { _id: before._id, ws: before.ws, rev: before.rev, payment_state: before.payment_state },
      saved,
      tx?.options() ?? {},
    );
    if (result.matchedCount !== 1) throw new LostRace('order');
    return saved;
  }

  async unpaidLive(until: NetworkTime, without: readonly string[]): Promise<Order[]> {
    return this.rows
      .find({ ...stepping(without), sandbox: false, payment_state: 'unpaid', pay_expires_at: { $lte: until } })
      .sort({ pay_expires_at: 1 })
      .limit(AT_ONCE)
      .toArray();
  }

  async unpaidOf(ws: string, until: Date, without: readonly string[]): Promise<Order[]> {
    return this.rows
      .find({ ...stepping(without), ws, payment_state: 'unpaid', pay_expires_at: { $lte: until } })
      .sort({ pay_expires_at: 1 })
      .limit(AT_ONCE)
      .toArray();
  }

  /** With the earliest end of each, since clocks differ. */
  async sandboxesUnpaid(horizon: SandboxHorizon): Promise<{ ws: string; due_at: Date }[]> {
    return this.rows
      .aggregate<{ ws: string; due_at: Date }>([
        { $match: { sandbox: true, payment_state: 'unpaid', pay_expires_at: { $lte: horizon } } },
        { $group: { _id: '$ws', due_at: { $min: '$pay_expires_at' } } },
        { $project: { _id: 0, ws: '$_id', due_at: 1 } },
      ])
      .toArray();
  }

  async unpaidEnds(ws: string, limit: number): Promise<Date[]> {
    const found = await this.rows
      .find({ ws, payment_state: 'unpaid' }, { projection: { pay_expires_at: 1 } })
      .sort({ pay_expires_at: 1 })
      .limit(limit)
      .toArray();
    return found.map((order) => order.pay_expires_at);
  }

  async openSince(
    { from, before }: { from: Date; before: Date },
    only: string | null,
    without: readonly string[],
  ): Promise<Order[]> {
    return this.rows
      .find({
        ...stepping(without),
        ...(only !== null && { ws: only }),
        'session.state': { $in: ['opening', 'open'] },
        'session.opened_at': { $gte: from, $lt: before },
      })
      .sort({ 'session.opened_at': 1 })
      .limit(AT_ONCE)
      .toArray();
  }
}
