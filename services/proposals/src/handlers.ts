// One handler for each operation that proposals declares.

export { creatorAccept } from './operations/creator-accept.js';
export { creatorDate } from './operations/creator-date.js';
export { creatorDecline } from './operations/creator-decline.js';
export { creatorLink } from './operations/creator-link.js';
export { creatorLinkOpened } from './operations/creator-link-opened.js';
export { creatorProposal } from './operations/creator-proposal.js';
export { creatorWithdraw } from './operations/creator-withdraw.js';
export { lineCancelCredits } from './operations/line-cancel-credits.js';
export { lineRefusalGet } from './operations/line-refusal-get.js';
export { lineReplace } from './operations/line-replace.js';
export { opsLineCancel } from './operations/ops-line-cancel.js';
export { opsLinePayout } from './operations/ops-line-payout.js';
export { opsLinePayoutReturned } from './operations/ops-line-payout-returned.js';
export { opsLineReplace } from './operations/ops-line-replace.js';
export { opsPayoutsList } from './operations/ops-payouts-list.js';
export { opsProposalAccept } from './operations/ops-proposal-accept.js';
export { opsProposalDate } from './operations/ops-proposal-date.js';
export { opsProposalDecline } from './operations/ops-proposal-decline.js';
export { opsProposalLink } from './operations/ops-proposal-link.js';
export { opsProposalSent } from './operations/ops-proposal-sent.js';
export { opsProposalsList } from './operations/ops-proposals-list.js';
export { proposalsClockSet } from './operations/proposals-clock-set.js';
export { proposalsDue } from './operations/proposals-due.js';
export { proposalsMandateTry } from './operations/proposals-mandate-try.js';
export { sandboxLineAnswer } from './operations/sandbox-line-answer.js';
