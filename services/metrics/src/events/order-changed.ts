import { type Consumer, consumerOf, type DueFacts } from '@cds/service';
import { withSigned } from '../domain/line.js';
import { keepLine, type Projection } from './projection.js';

/** Follows orders: the signed terms of each line, and the end of its readings when the order is cancelled or refunded. */
export const orderChanged = (of: Projection & { due: DueFacts }): Consumer =>
  consumerOf({
    event: 'order.changed',
    apply: async (tx, order, at) => {
      for (const signed of order.lines) {
        const before = await of.lines.within(tx, order.workspace, signed.line_id);
        const after = withSigned(before, order, signed);
        if (after !== null) await keepLine(tx, of, before, after, at);
      }
    },
    applied: async (order) => {
      if (order.sandbox) await of.due.applied(order.workspace);
    },
  });
