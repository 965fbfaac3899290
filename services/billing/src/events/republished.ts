import { type Outbox, type Republished, republishedFrom, republishedFromOutbox } from '@cds/service';
import { presentOrderChanged } from '../present/order.js';
import type { Orders } from '../store/orders.js';

/**
 * Every order as it stands; each was told at its signing. Tasks are kept by the gateway alone, so they come from what the
 * outbox still holds.
 */
export const republished = (orders: Orders, outbox: Outbox): Republished[] => [
  republishedFrom('order.changed', orders.rows, (rows) => rows.map(presentOrderChanged)),
  republishedFromOutbox('billing_task.opened', outbox),
];
