import { consumerOf } from '@cds/service';
import { changesOrder, type LineCredits } from '../payment/line-credits.js';

/** Credits for a line that ended or cost less than was paid (docs/domain/orders.md#credits). */
export const lineChanged = (credits: LineCredits) =>
  consumerOf({
    event: 'line.changed',
    concerns: changesOrder,
    apply: (tx, line, at) => credits.follow(tx, line, at),
  });
