import { z } from 'zod';
import { defineEvent } from '../event.js';
import { Uuid } from '../fields.js';
import { taskOpened } from '../task.js';

export const catalogEvents = {
  /** Carries no price: consumers ask for the current one, so late and repeated events are harmless. */
  'price.changed': defineEvent({
    name: 'price.changed',
    service: 'catalog',
    consumers: ['planning'],
    payload: z.object({ aggregate: Uuid, version: z.int(), unit_ids: z.array(Uuid).min(1) }),
  }),
  'catalog_task.opened': taskOpened('catalog'),
} as const;
