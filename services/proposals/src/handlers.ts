export {
  creatorAccept,
  creatorDate,
  creatorDecline,
  creatorLink,
  creatorLinkOpened,
  creatorProposal,
  creatorWithdraw,
} from './operations/creator-side.js';
export { lineCancelCredits, opsLineCancel } from './operations/line-cancel.js';
export { lineReplace, opsLineReplace } from './operations/line-replace.js';
export { lineRefusalGet, proposalsMandateTry } from './operations/mandate-checks.js';
export { opsLinePayout, opsLinePayoutReturned, opsPayoutsList } from './operations/ops-payouts.js';
export {
  opsProposalAccept,
  opsProposalDate,
  opsProposalDecline,
  opsProposalLink,
  opsProposalSent,
  opsProposalsList,
} from './operations/ops-proposals.js';
export { proposalsClockSet, proposalsDue } from './operations/proposals-due.js';
export { sandboxLineAnswer } from './operations/sandbox-line-answer.js';
