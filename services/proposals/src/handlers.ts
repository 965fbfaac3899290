import type { AdvanceClock, Client, Clocks, Handlers, MandateChecks } from '@cds/service';
import { lineRefusalGet } from './operations/line-refusal-get.js';
import { lineReplace } from './operations/line-replace.js';
import { opsLineCancel } from './operations/ops-line-cancel.js';
import { opsLineReplace } from './operations/ops-line-replace.js';
import { proposalsClockSet } from './operations/proposals-clock-set.js';
import { proposalsDue } from './operations/proposals-due.js';
import { proposalsMandateTry } from './operations/proposals-mandate-try.js';
import { sandboxLineAnswer } from './operations/sandbox-line-answer.js';
import type { Offers } from './store/offers.js';

/** What the operations of this service may use. */
export type Deps = {
  offers: Offers;
  checks: MandateChecks;
  clocks: Clocks;
  calls: Client<'identity_reveal' | 'replacement_unit' | 'replacement_candidates'>;
  advanceClock: AdvanceClock;
};

export const handlers = {
  lineReplace,
  lineRefusalGet,
  opsLineReplace,
  opsLineCancel,
  sandboxLineAnswer,
  proposalsDue,
  proposalsMandateTry,
  proposalsClockSet,
} satisfies Handlers<'proposals', Deps>;
