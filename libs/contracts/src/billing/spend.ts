import { z } from 'zod';
import { Cents, Uuid } from '../fields.js';
import { defineOperations } from '../operation.js';
import { internalReads } from '../operation-kinds.js';

export const spendOperations = defineOperations('billing', {
  keys_spent: {
    ...internalReads,
    callers: ['gateway'],
    summary:
      'Returns what each key of a workspace has spent in the current month; a key without an entry spent nothing.',
    // A child's cents are counted in its parent's document.
    body: z.object({ workspace: Uuid, keys: z.array(z.object({ key_id: Uuid, parent_id: Uuid.nullable() })) }),
    output: z.object({ spent: z.array(z.object({ key_id: Uuid, spent_this_month_cents: Cents })) }),
  },
});
