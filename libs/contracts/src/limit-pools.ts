import { z } from 'zod';
import { Count, Timestamp, Uuid } from './fields.js';
import { LIMIT_NAMES, LIMIT_SCOPES, LIMIT_UNITS, REFILLS } from './limits.js';

/** What is left of one limit; `resets_at` is what its refusal would say, null where nothing comes back. */
export const LimitPool = z
  .object({
    name: z.enum(LIMIT_NAMES).meta({ description: 'The `details.reason` of a refusal by this limit.' }),
    scope: z.enum(LIMIT_SCOPES).meta({
      description:
        'Whom it counts: this key, the key that made it, a person’s session, all keys of the brand, or the workspace.',
    }),
    unit: z.enum(LIMIT_UNITS),
    limit: Count,
    left: Count,
    refills: z.enum(REFILLS),
    resets_at: Timestamp.nullable().meta({
      description: 'When it comes back, all of it or its oldest use; null if nothing was used or nothing comes back.',
    }),
    per_creator: Count.optional().meta({
      description: 'Of price requests in all: how many one creator may have. A creator without an entry has them all.',
    }),
    creator_id: Uuid.optional().meta({ description: 'Of price requests: the one creator that this limit is about.' }),
  })
  .meta({ id: 'LimitPool' });
export type LimitPool = z.infer<typeof LimitPool>;

export const LimitPools = z.object({ limits: z.array(LimitPool) }).meta({ id: 'Limits' });
export type LimitPools = z.infer<typeof LimitPools>;
