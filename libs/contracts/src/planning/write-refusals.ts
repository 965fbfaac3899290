import { z } from 'zod';
import { ReceiptRuleResult } from '../billing/receipts.js';
import { Cents, publicText, Timestamp, Uuid } from '../fields.js';
import { defineOperations } from '../operation.js';
import { internalReads } from '../operation-kinds.js';

/** A write that a mandate refused before any signing, as its receipt says it (docs/domain/orders.md#receipts). */
export const WriteRefusal = z.object({
  id: Uuid,
  operation: publicText(),
  request_id: publicText(),
  key_id: Uuid,
  parent_key_id: Uuid.nullable(),
  mandate_version: z.int().min(0),
  /** The plan's total after the write, in US cents; null if none was judged. */
  total_cents: Cents.nullable(),
  rules: z.array(ReceiptRuleResult),
  /** Business time. */
  at: Timestamp,
});
export type WriteRefusal = z.infer<typeof WriteRefusal>;

export const RefusedWrite = z.object({ refusal: WriteRefusal.nullable() });

export const writeRefusalOperations = defineOperations('planning', {
  write_refusal_get: {
    ...internalReads,
    callers: ['billing'],
    summary: 'Returns a write of the workspace that a mandate refused, by the id of its receipt.',
    body: z.object({ id: Uuid }),
    output: RefusedWrite,
  },
});
