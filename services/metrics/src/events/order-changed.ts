import { type Consumer, consumerOf, type DueFacts } from '@cds/service';
import { withSigned } from '../domain/line.js';
import { type Projection, saveLine } from './projection.js';

/** Follows orders: stores each line's signed terms, and ends its readings when the order is cancelled or refunded. */
export const orderChanged = (of: Projection & { due: DueFacts }): Consumer =>
  consumerOf({
    event: 'order.changed',
    apply: async (tx, order, at) => {
      const ids = order.lines.map((signed) => signed.line_id);
      const known = await of.lines.findAllInTx(tx, order.workspace, ids);
      // An unknown line has no offer yet, so no post follows it: all of them are inserted in one statement.
      const unknown = order.lines.filter((signed) => !known.has(signed.line_id));
      await of.lines.add(
        tx,
        unknown.flatMap((signed) => withSigned(null, order, signed) ?? []),
      );
      for (const signed of order.lines) {
        const before = known.get(signed.line_id) ?? null;
        const after = before && withSigned(before, order, signed);
        if (after !== null) await saveLine(tx, of, before, after, at);
      }
    },
    applied: async (order) => {
      if (order.sandbox && order.paid_at !== null) await of.due.applied(order.workspace);
    },
  });
