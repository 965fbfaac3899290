import { z } from 'zod';
import { Count, Timestamp } from '../fields.js';
import { closed, integerInput, uuidInput } from '../input.js';
import { TriedChange, TriedRefusal } from '../mandate-try.js';
import { defineOperations } from '../operation.js';
import { MandateInput } from './mandate-input.js';

/** How many days back a draft may be tried: the most, since checks are kept no longer, and the default. */
const TRY_DAYS = { most: 90, usual: 30 } as const;

/** What a draft of a mandate would have done to the writes of some days (docs/domain/orders.md#mandate-workbench). */
export const MandateTried = z
  .object({
    from: Timestamp,
    to: Timestamp,
    tried: Count,
    /** The newest that the draft would refuse, at most 1,000. */
    refused: z.array(TriedRefusal),
    /** The newest whose verdict differs, at most 1,000. */
    changed: z.array(TriedChange),
  })
  .meta({ id: 'MandateTried' });
export type MandateTried = z.infer<typeof MandateTried>;

export const mandateWorkbenchOperations = defineOperations('gateway', {
  key_mandate_try: {
    audience: 'person',
    scope: null,
    rest: { method: 'POST', path: '/api/brand/keys/{id}/mandate/try', root: 'app' },
    atLeast: 'admin',
    effect: 'read',
    summary: 'Returns which recorded writes of a key a draft of its mandate would have refused. Changes nothing.',
    params: closed({ id: uuidInput().describe('The key id.') }),
    body: closed({
      mandate: MandateInput,
      days: integerInput({ min: 1, max: TRY_DAYS.most }).default(TRY_DAYS.usual),
    }),
    output: MandateTried,
  },
});
