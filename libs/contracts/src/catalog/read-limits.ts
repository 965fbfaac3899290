import { z } from 'zod';
import { LimitPools } from '../limit-pools.js';
import { defineOperations } from '../operation.js';
import { internalReads } from '../operation-kinds.js';

export const readLimitOperations = defineOperations('catalog', {
  read_limits: {
    ...internalReads,
    callers: ['gateway'],
    summary: 'Returns what is left to the caller of the limits on creator reads and price requests. Books nothing.',
    body: z.object({}),
    output: LimitPools,
  },
});
