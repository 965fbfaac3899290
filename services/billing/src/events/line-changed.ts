import { consumerOf } from '@cds/service';
import { changesOrder, type LineCredits } from '../payment/line-credits.js';

/** A line that ended, or cost less than was paid, has its credits (docs/domain/orders.md#credits). */
export const lineChanged = (credits: LineCredits) =>
  consumerOf({
    event: 'line.changed',
    concerns: changesOrder,
    apply: (tx, line, at) => credits.follow(tx, line, at),
  });
