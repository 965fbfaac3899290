import type { AdvanceClock, Client, Handlers } from '@cds/service';
import { proposalsClockSet } from './operations/proposals-clock-set.js';
import { proposalsDue } from './operations/proposals-due.js';
import { sandboxLineAnswer } from './operations/sandbox-line-answer.js';
import type { Offers } from './store/offers.js';

/** What the operations of this service may use. */
export type Deps = { offers: Offers; calls: Client<'identity_reveal'>; advanceClock: AdvanceClock };

export const handlers = { sandboxLineAnswer, proposalsDue, proposalsClockSet } satisfies Handlers<'proposals', Deps>;
