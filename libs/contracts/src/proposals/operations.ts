import { clockSet, dueNext } from '../clock.js';
import { mandateTry } from '../mandate-try.js';
import { shellOperations } from '../shell-operations.js';
import { lineOperations } from './lines.js';
import { sandboxLineOperations } from './sandbox-lines.js';

/** Every operation of proposals, by resource. */
export const proposalsOperations = {
  ...lineOperations,
  ...sandboxLineOperations,
  ...mandateTry('proposals'),
  ...clockSet('proposals'),
  ...dueNext('proposals'),
  ...shellOperations('proposals'),
} as const;
