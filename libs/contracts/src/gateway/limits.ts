import { LimitPools } from '../limit-pools.js';
import { defineOperations } from '../operation.js';
import { brandReads } from '../operation-kinds.js';

export const limitOperations = defineOperations('gateway', {
  limits_get: {
    ...brandReads('any'),
    rest: { method: 'GET', path: '/limits', root: 'v1' },
    extension: true,
    tool: {
      rank: 27,
      title: 'What is left of the limits',
      description:
        'Returns every limit that this key draws on, with what is left and when it comes back: requests, creator reads, searches, opens, views, price requests, campaign starts, child keys, streams and the mandate. It costs one request and nothing else. Any valid key.',
      hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
    },
    summary: 'Returns every limit that the key draws on, what is left of it and when it comes back.',
    output: LimitPools,
  },
});
