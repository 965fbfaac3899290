import { z } from 'zod';
import { Cents, publicText, Timestamp, Uuid } from '../fields.js';
import { defineOperations } from '../operation.js';
import { internalWrites } from '../operation-kinds.js';

/** The limits that a person of the brand set on a key (docs/specification.md#mandate, docs/domain/orders.md#mandate) */
export const Mandate = z
  .object({
    key_id: Uuid,
    version: z.int().min(1),
    max_plan_cents: Cents,
    monthly_cap_cents: Cents,
    channels: z.array(publicText()),
    may_approve: z.boolean(),
    may_exceed_budget: z.literal(false).optional().meta({ deprecated: true, description: 'Retired, always false.' }),
    expires_at: Timestamp,
    updated_at: Timestamp,
    spent_this_month_cents: Cents,
    terms_version: publicText().nullable(),
    terms_accepted_at: Timestamp.nullable(),
    terms_accepted_email: publicText().nullable(),
  })
  .meta({ id: 'Mandate' });
export type Mandate = z.infer<typeof Mandate>;

export const mandateOperations = defineOperations('billing', {
  gate_raise: {
    ...internalWrites,
    callers: ['gateway'],
    summary:
      'Creates the key’s authority if absent and raises its gate, so that nothing reserves under an older mandate or an ended right; answers once what held cents under these is settled.',
    body: z.object({
      key_id: Uuid,
      workspace: Uuid,
      version: z.int().optional(),
      /** Rights of which every version below this has ended. */
      ended: z.record(z.string(), z.int()).optional(),
    }),
    output: z.object({ min_mandate_version: z.int() }),
  },
});
