import { clockSet, dueNext } from '../clock.js';
import { eventOperations } from '../event-operations.js';
import { sandboxLineOperations } from './sandbox-lines.js';

/** Every operation of proposals, by resource. */
export const proposalsOperations = {
  ...sandboxLineOperations,
  ...clockSet('proposals'),
  ...dueNext('proposals'),
  ...eventOperations('proposals'),
} as const;
