import { z } from 'zod';
import { defineEvent } from '../event.js';
import { Uuid } from '../fields.js';
import { taskOpened } from '../task.js';

export const catalogEvents = {
  /**
   * Units of one creator (the aggregate) have a new price. The event carries no price: consumers ask for the current
   * one, so that late and repeated events are harmless. `version` is the time the price was recorded, in milliseconds.
   */
  'price.changed': defineEvent({
    name: 'price.changed',
    service: 'catalog',
    consumers: ['planning'],
    payload: z.object({ aggregate: Uuid, version: z.int(), unit_ids: z.array(Uuid).min(1) }),
  }),
  'catalog_task.opened': taskOpened('catalog'),
} as const;
