import type { PaymentState } from '@cds/contracts';
import { after, type Clocks, type Collection, inOrder, type Place, type Store } from '@cds/service';
import type { Credit } from '../domain/credit.js';
import type { Order } from '../domain/order.js';
import type { LedgerEntry } from '../domain/order-state.js';
import type { Refund } from '../domain/refund.js';
import type { InvoiceRow } from '../rails/invoice/invoice.js';

/** An order with everything that accounts for its money, as of one moment. */
export type BookedOrder = {
  order: Order;
  /** Oldest first. */
  entries: LedgerEntry[];
  credits: Credit[];
  /** Repayments that the rail has not confirmed, oldest first. */
  openRefunds: Refund[];
  /** The invoice of the order's session; null without one. */
  invoice: InvoiceRow | null;
  /** The workspace's business time when it was read. */
  now: Date;
};

type Row = Order & { entries: LedgerEntry[]; credits: Credit[]; open_refunds: Refund[]; invoices: InvoiceRow[] };

/** What belongs to the order in another collection, oldest first. */
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

/** Orders with their books, each read in one snapshot, so that a state never contradicts its money. */
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

  /** An order of any workspace, for the operator's team. */
  async ofAny(id: string): Promise<BookedOrder | null> {
    return (await this.found([{ $match: { _id: id } }]))[0] ?? null;
  }

  /** Orders of any workspaces. */
  async ofAll(ids: readonly string[]): Promise<BookedOrder[]> {
    return this.found([{ $match: { _id: { $in: [...ids] } } }]);
  }

  /** The order behind a payment link, by the hash of its token. */
  async byTokenHash(hash: string): Promise<BookedOrder | null> {
    return (await this.found([{ $match: { pay_token_hash: hash } }]))[0] ?? null;
  }

  /** Orders behind a place, of one workspace or all, in one state or any. */
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
