import { z } from 'zod';
import { defineEvent } from '../event.js';
import { Timestamp, Uuid } from '../fields.js';

export const gatewayEvents = {
  'clock.set': defineEvent({
    name: 'clock.set',
    service: 'gateway',
    consumers: ['catalog', 'planning', 'billing', 'proposals', 'metrics'],
    payload: z.object({ aggregate: Uuid, version: z.int(), workspace: Uuid, offset_ms: z.int(), at: Timestamp }),
  }),
  'mandate.changed': defineEvent({
    name: 'mandate.changed',
    service: 'gateway',
    consumers: ['billing'],
    payload: z.object({ aggregate: Uuid, version: z.int(), workspace: Uuid, key_id: Uuid }),
  }),
} as const;
