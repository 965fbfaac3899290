import { consumerOf } from '@cds/service';
import { changesOrder, type LineCredits } from '../payment/line-credits.js';

export const lineChanged = (credits: LineCredits) =>
  consumerOf({
    event: 'line.changed',
    concerns: changesOrder,
    apply: (tx, line, at) => credits.follow(tx, line, at),
  });
