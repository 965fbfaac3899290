import { clockSet, dueNext } from '../clock.js';
import { shellOperations } from '../shell-operations.js';
import { sandboxLineOperations } from './sandbox-lines.js';

/** Every operation of proposals, by resource. */
export const proposalsOperations = {
  ...sandboxLineOperations,
  ...clockSet('proposals'),
  ...dueNext('proposals'),
  ...shellOperations('proposals'),
} as const;
