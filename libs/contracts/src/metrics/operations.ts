import { clockSet, dueNext } from '../clock.js';
import { eventOperations } from '../event-operations.js';
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
  ...eventOperations('metrics'),
} as const;
