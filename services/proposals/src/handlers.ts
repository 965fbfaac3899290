import type { AdvanceClock, Client, Clocks, Handlers, MandateChecks, WriteShell } from '@cds/service';
import type { LinkKeys } from './domain/creator-link.js';
import { creatorAccept } from './operations/creator-accept.js';
import { creatorDate } from './operations/creator-date.js';
import { creatorDecline } from './operations/creator-decline.js';
import { creatorLink } from './operations/creator-link.js';
import { creatorLinkOpened } from './operations/creator-link-opened.js';
import { creatorProposal } from './operations/creator-proposal.js';
import { creatorWithdraw } from './operations/creator-withdraw.js';
import { lineCancelCredits } from './operations/line-cancel-credits.js';
import { lineRefusalGet } from './operations/line-refusal-get.js';
import { lineReplace } from './operations/line-replace.js';
import { opsLineCancel } from './operations/ops-line-cancel.js';
import { opsLinePayout } from './operations/ops-line-payout.js';
import { opsLinePayoutReturned } from './operations/ops-line-payout-returned.js';
import { opsLineReplace } from './operations/ops-line-replace.js';
import { opsPayoutsList } from './operations/ops-payouts-list.js';
import { opsProposalAccept } from './operations/ops-proposal-accept.js';
import { opsProposalDate } from './operations/ops-proposal-date.js';
import { opsProposalDecline } from './operations/ops-proposal-decline.js';
import { opsProposalLink } from './operations/ops-proposal-link.js';
import { opsProposalSent } from './operations/ops-proposal-sent.js';
import { opsProposalsList } from './operations/ops-proposals-list.js';
import { proposalsClockSet } from './operations/proposals-clock-set.js';
import { proposalsDue } from './operations/proposals-due.js';
import { proposalsMandateTry } from './operations/proposals-mandate-try.js';
import { sandboxLineAnswer } from './operations/sandbox-line-answer.js';
import type { Offers } from './store/offers.js';

/** What the operations of this service may use. */
export type Deps = {
  appUrl: string;
  shell: WriteShell;
  offers: Offers;
  checks: MandateChecks;
  clocks: Clocks;
  links: LinkKeys;
  calls: Client<
    | 'identity_reveal'
    | 'replacement_unit'
    | 'replacement_candidates'
    | 'creator_brief'
    | 'creator_terms'
    | 'creator_post_read'
  >;
  advanceClock: AdvanceClock;
};

export const handlers = {
  creatorProposal,
  creatorAccept,
  creatorDecline,
  creatorDate,
  creatorWithdraw,
  creatorLink,
  creatorLinkOpened,
  lineReplace,
  lineRefusalGet,
  lineCancelCredits,
  opsLineReplace,
  opsLineCancel,
  opsLinePayout,
  opsLinePayoutReturned,
  opsPayoutsList,
  opsProposalsList,
  opsProposalSent,
  opsProposalAccept,
  opsProposalDate,
  opsProposalDecline,
  opsProposalLink,
  sandboxLineAnswer,
  proposalsDue,
  proposalsMandateTry,
  proposalsClockSet,
} satisfies Handlers<'proposals', Deps>;
