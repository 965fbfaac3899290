import { z } from 'zod';
import { LimitPools } from '../limit-pools.js';
import { defineOperations } from '../operation.js';
import { internalReads } from '../operation-kinds.js';

export const startLimitOperations = defineOperations('planning', {
  start_limits: {
    ...internalReads,
    callers: ['gateway'],
    summary: 'Returns how many campaigns the caller’s workspace may still start. Books nothing.',
    body: z.object({}),
    output: LimitPools,
  },
});
