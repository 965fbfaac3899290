import { clockSet, dueNext } from '../clock.js';
import { mandateTry } from '../mandate-try.js';
import { shellOperations } from '../shell-operations.js';
import { creatorSideOperations } from './creator.js';
import { lineOperations } from './lines.js';
import { opsProposalOperations } from './ops-proposals.js';
import { payoutOperations } from './payouts.js';
import { sandboxLineOperations } from './sandbox-lines.js';

export const proposalsOperations = {
  ...lineOperations,
  ...creatorSideOperations,
  ...opsProposalOperations,
  ...payoutOperations,
  ...sandboxLineOperations,
  ...mandateTry('proposals'),
  ...clockSet('proposals'),
  ...dueNext('proposals'),
  ...shellOperations('proposals'),
} as const;
