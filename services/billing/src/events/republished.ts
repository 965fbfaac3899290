import { type Outbox, type Republished, republishedFrom, republishedFromOutbox } from '@cds/service';
import { presentOrderChanged } from '../present/order.js';
import type { Orders } from '../store/orders.js';

/**
 * Every order as it is; each was published at its signing. Only the gateway stores tasks, so they come from what is
 * left in the outbox.
 */
export const republished = (orders: Orders, outbox: Outbox): Republished[] => [
  republishedFrom('order.changed', orders.rows, (rows) => rows.map(presentOrderChanged)),
  republishedFromOutbox('billing_task.opened', outbox),
];
