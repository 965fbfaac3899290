import { type Outbox, type Republished, republishedFrom, republishedFromOutbox } from '@cds/service';
import { pricesChanged } from '../present/price-changed.js';
import type { Creators } from '../store/creators.js';

/** Consumers ask for the price itself. Only the gateway stores tasks, so they come from the outbox. */
export const republished = (creators: Creators, outbox: Outbox): Republished[] => [
  republishedFrom('price.changed', creators.rows, (rows) =>
    rows.flatMap(({ _id, units }) => {
      const priced = units.flatMap(({ unit_id, price }) =>
        price === null ? [] : [{ unit_id, at: price.recorded_at }],
      );
      const newest = new Date(Math.max(0, ...priced.map(({ at }) => at.getTime())));
      const ids = priced.map(({ unit_id }) => unit_id);
      return pricesChanged(_id, ids, newest).map(({ payload }) => payload);
    }),
  ),
  republishedFromOutbox('catalog_task.opened', outbox),
];
