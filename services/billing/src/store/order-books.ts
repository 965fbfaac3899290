import type { PaymentState } from '@cds/contracts';
import { after, type Clocks, type Collection, inOrder, type Place, type Store } from '@cds/service';
import type { Credit } from '../domain/credit.js';
import type { Order } from '../domain/order.js';
import type { LedgerEntry } from '../domain/order-state.js';
import type { Refund } from '../domain/refund.js';
import type { InvoiceRow } from '../rails/invoice/invoice.js';

export type BookedOrder = {
  order: Order;
  entries: LedgerEntry[];
  credits: Credit[];
  openRefunds: Refund[];
  invoice: InvoiceRow | null;
  now: Date;
};

type Row = Order & { entries: LedgerEntry[]; credits: Credit[]; open_refunds: Refund[]; invoices: InvoiceRow[] };

const joined = (from: string, as: string, sort: Record<string, 1>, filter: object = {}) => ({
  $lookup: {
    from,
    as,
    localField: '_id',
    foreignField: 'order_id',
    let: { ws: '$ws' },
    pipeline: [{ $match: { $expr: { $eq: ['$ws', '$$ws'] }, ...filter } }, { $sort: sort }],
  },
});

const BOOKS = [
  joined('ledger', 'entries', { seq: 1 }),
  joined('credits', 'credits', { at: 1, _id: 1 }),
  joined('refunds', 'open_refunds', { at: 1, _id: 1 }, { state: 'open' }),
  { $lookup: { from: 'invoices', as: 'invoices', localField: 'session.rail_key', foreignField: '_id' } },
];

/** Each order is read in one snapshot with its books, so that a state never contradicts its money. */
export class OrderBooks {
  private readonly rows: Collection<Order>;

  constructor(
    store: Store,
    private readonly clocks: Pick<Clocks, 'read'>,
  ) {
    this.rows = store.db.collection<Order>('orders');
  }

  async byId(ws: string, id: string): Promise<BookedOrder | null> {
    return (await this.found([{ $match: { _id: id, ws } }]))[0] ?? null;
  }

  async ofAny(id: string): Promise<BookedOrder | null> {
    return (await this.found([{ $match: { _id: id } }]))[0] ?? null;
  }

  async ofAll(ids: readonly string[]): Promise<BookedOrder[]> {
    return this.found([{ $match: { _id: { $in: [...ids] } } }]);
  }

  async byTokenHash(hash: string): Promise<BookedOrder | null> {
    return (await this.found([{ $match: { pay_token_hash: hash } }]))[0] ?? null;
  }

  async page(
    of: { ws?: string | undefined; state?: PaymentState | undefined },
    direction: 'newest first' | 'oldest first',
    place: Place | null,
    limit: number,
  ): Promise<BookedOrder[]> {
    const filter = {
      ...(of.ws === undefined ? {} : { ws: of.ws }),
      ...(of.state === undefined ? {} : { payment_state: of.state }),
    };
    return this.found([
      { $match: { ...filter, ...after('signed_at', place, direction) } },
      { $sort: inOrder('signed_at', direction) },
      { $limit: limit },
    ]);
  }

  private async found(stages: Record<string, unknown>[]): Promise<BookedOrder[]> {
    const rows = await this.rows
      .aggregate<Row>([...stages, ...BOOKS], { readConcern: { level: 'snapshot' } })
      .toArray();
    const time = await this.clocks.read(rows.map(({ ws }) => ws));
    return rows.map(({ entries, credits, open_refunds: openRefunds, invoices, ...order }) => ({
      order,
      entries,
      credits,
      openRefunds,
      invoice: invoices[0] ?? null,
      now: time.of(order.ws),
    }));
  }
}
