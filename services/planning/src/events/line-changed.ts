import { consumerOf } from '@cds/service';
import type { LineFactsStore } from '../store/line-facts.js';

/** Follows a paid line's newest proposal, its booking and its cancellation. */
export const lineChanged = ({ lineFacts }: { lineFacts: LineFactsStore }) =>
  consumerOf({ event: 'line.changed', project: (line) => lineFacts.applyProposal(line) });
