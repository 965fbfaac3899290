import { type Outbox, type Republished, republishedFrom, republishedFromOutbox } from '@cds/service';
import { presentOrderChanged } from '../present/books.js';
import type { OrderBooks } from '../store/order-books.js';
import type { Orders } from '../store/orders.js';

/** Only the gateway stores tasks, so they come from what is left in the outbox. */
export const republished = (orders: Orders, books: OrderBooks, outbox: Outbox): Republished[] => [
  republishedFrom('order.changed', orders.rows, async (rows) =>
    (await books.ofAll(rows.map(({ _id }) => _id))).map(presentOrderChanged),
  ),
  republishedFromOutbox('billing_task.opened', outbox),
];
