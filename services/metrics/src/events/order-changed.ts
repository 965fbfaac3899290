import { type Consumer, consumerOf, type DueFacts } from '@cds/service';
import { withSigned } from '../domain/line.js';
import { type LineChange, type Projection, saveLines } from './projection.js';

export const orderChanged = (of: Projection & { due: DueFacts }): Consumer =>
  consumerOf({
    event: 'order.changed',
    apply: async (tx, order, at) => {
      const ids = order.lines.map((signed) => signed.line_id);
      const known = await of.lines.findAllInTx(tx, [order.workspace], ids);
      const changes = order.lines.flatMap((signed): LineChange[] => {
        const before = known.get(signed.line_id) ?? null;
        const after = withSigned(before, order, signed);
        return after === null ? [] : [{ before, after, happened: at }];
      });
      await saveLines(tx, of, changes, at);
    },
    applied: (orders) =>
      of.due.applied(
        orders.flatMap(({ sandbox, paid_at, workspace }) => (sandbox && paid_at !== null ? workspace : [])),
      ),
  });
