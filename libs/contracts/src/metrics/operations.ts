import { clockSet, dueNext } from '../clock.js';
import { shellOperations } from '../shell-operations.js';
import { evidenceOperations } from './evidence.js';
import { resultOperations } from './results.js';
import { sandboxPostOperations } from './sandbox-posts.js';

/** Every operation of metrics, by resource. */
export const metricsOperations = {
  ...evidenceOperations,
  ...resultOperations,
  ...sandboxPostOperations,
  ...clockSet('metrics'),
  ...dueNext('metrics'),
  ...shellOperations('metrics'),
} as const;
