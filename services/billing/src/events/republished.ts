import { type Republished, republishedFrom } from '@cds/service';
import { presentOrderChanged } from '../present/order.js';
import type { Orders } from '../store/orders.js';

/** Every order as it stands; each was told at its signing. */
export const republished = (orders: Orders): Republished[] => [
  republishedFrom('order.changed', orders.rows, (rows) => rows.map(presentOrderChanged)),
];
