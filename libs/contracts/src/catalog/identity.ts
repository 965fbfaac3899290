import { z } from 'zod';
import { paidText, redactedText, Uuid } from '../fields.js';
import { defineOperations } from '../operation.js';
import { internalReads } from '../operation-kinds.js';

export const identityOperations = defineOperations('catalog', {
  identity_reveal: {
    ...internalReads,
    callers: ['planning', 'proposals', 'metrics'],
    summary:
      'Returns handles and profile links of creators in a paid order of the workspace, by catalog’s own record. Others are left out.',
    body: z.object({
      order_id: z.string(),
      /** Further paid orders, so that a list over many asks once. */
      order_ids: z.array(z.string()).optional(),
      creator_ids: z.array(z.string()),
    }),
    output: z.object({
      creators: z.array(
        z.object({
          creator_id: Uuid,
          /** Absent when a replica of an older release answers. */
          name: redactedText().nullable().optional(),
          handle: paidText(),
          url: paidText(),
        }),
      ),
    }),
  },
});
