import { z } from 'zod';
import { LimitPools } from '../limit-pools.js';
import { defineOperation } from '../operation.js';

export const startLimitOperations = {
  start_limits: defineOperation({
    name: 'start_limits',
    service: 'planning',
    audience: 'internal',
    scope: null,
    effect: 'read',
    callers: ['gateway'],
    summary: 'Returns how many campaigns the caller’s workspace may still start. Books nothing.',
    body: z.object({}),
    output: LimitPools,
  }),
} as const;
