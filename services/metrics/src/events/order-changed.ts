import { type Consumer, consumerOf, type DueFacts } from '@cds/service';
import { withSigned } from '../domain/line.js';
import { keepLine, type Projection } from './projection.js';

/** Follows orders: the signed terms of each line, and the end of its readings when the order is cancelled or refunded. */
export const orderChanged = (of: Projection & { due: DueFacts }): Consumer =>
  consumerOf({
    event: 'order.changed',
    apply: async (tx, order, at) => {
      const ids = order.lines.map((signed) => signed.line_id);
      const known = await of.lines.allWithin(tx, order.workspace, ids);
      // A line that nothing is known of has no offer yet, so no post can follow it: all of them go in at once.
      const unknown = order.lines.filter((signed) => !known.has(signed.line_id));
      await of.lines.add(
        tx,
        unknown.flatMap((signed) => withSigned(null, order, signed) ?? []),
      );
      for (const signed of order.lines) {
        const before = known.get(signed.line_id) ?? null;
        const after = before && withSigned(before, order, signed);
        if (after !== null) await keepLine(tx, of, before, after, at);
      }
    },
    applied: async (order) => {
      if (order.sandbox && order.paid_at !== null) await of.due.applied(order.workspace);
    },
  });
