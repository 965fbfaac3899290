import { z } from 'zod';
import { LimitPools } from '../limit-pools.js';
import { defineOperation } from '../operation.js';

export const readLimitOperations = {
  read_limits: defineOperation({
    name: 'read_limits',
    service: 'catalog',
    audience: 'internal',
    scope: null,
    effect: 'read',
    callers: ['gateway'],
    summary: 'Returns what is left to the caller of the limits on creator reads and price requests. Books nothing.',
    body: z.object({}),
    output: LimitPools,
  }),
} as const;
