import { type Outbox, type Republished, republishedFrom, republishedFromOutbox } from '@cds/service';
import { lineChanged } from '../present/line-changed.js';
import type { Offers } from '../store/offers.js';

/** A line without a proposal was never published. Only the gateway stores tasks, so they come from the outbox. */
export const republished = (offers: Offers, outbox: Outbox): Republished[] => [
  republishedFrom('line.changed', offers.lines, async (lines) => (await offers.chainsOf(lines)).map(lineChanged)),
  republishedFromOutbox('proposals_task.opened', outbox),
];
