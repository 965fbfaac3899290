import { consumerOf } from '@cds/service';
import type { LineFactsStore } from '../store/line-facts.js';
import type { OfferAnswers } from '../store/offer-answers.js';

export const lineChanged = ({ lineFacts, offerAnswers }: { lineFacts: LineFactsStore; offerAnswers: OfferAnswers }) =>
  consumerOf({
    event: 'line.changed',
    projectAll: async (lines) => {
      await lineFacts.applyProposals(lines);
      await offerAnswers.take(lines);
    },
  });
