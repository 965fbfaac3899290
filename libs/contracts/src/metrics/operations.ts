import { clockSet, dueNext } from '../clock.js';
import { shellOperations } from '../shell-operations.js';
import { claimOperations } from './claims.js';
import { creatorPostOperations } from './creator-posts.js';
import { evidenceOperations } from './evidence.js';
import { integrityOperations } from './integrity.js';
import { opsPostOperations } from './ops-posts.js';
import { resultOperations } from './results.js';
import { sandboxPostOperations } from './sandbox-posts.js';

export const metricsOperations = {
  ...evidenceOperations,
  ...resultOperations,
  ...sandboxPostOperations,
  ...opsPostOperations,
  ...creatorPostOperations,
  ...integrityOperations,
  ...claimOperations,
  ...clockSet('metrics'),
  ...dueNext('metrics'),
  ...shellOperations('metrics'),
} as const;
