import { z } from 'zod';
import { defineEvent } from '../event.js';
import { Uuid } from '../fields.js';
import { taskOpened } from '../task.js';

/** What catalog tells: units that have a new price row, and work for the operator's team. */
export const catalogEvents = {
  /**
   * Units of one creator (the aggregate) have a new price. It names no price: whoever follows asks for the current one,
   * so that late and repeated facts do no harm. `version` is the time at which the price was recorded, in milliseconds.
   */
  'price.changed': defineEvent({
    name: 'price.changed',
    service: 'catalog',
    consumers: ['planning'],
    payload: z.object({ aggregate: Uuid, version: z.int(), unit_ids: z.array(Uuid).min(1) }),
  }),
  'catalog_task.opened': taskOpened('catalog'),
} as const;
