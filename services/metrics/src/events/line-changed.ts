import { type Consumer, consumerOf, type DueFacts } from '@cds/service';
import { withOffer } from '../domain/line.js';
import { type Projection, saveLine } from './projection.js';

/**
 * Follows lines: a booked one waits for its post, which in a sandbox goes live on its own
 * (docs/domain/orders.md#sandbox-creators).
 */
export const lineChanged = (of: Projection & { due: DueFacts }): Consumer =>
  consumerOf({
    event: 'line.changed',
    apply: async (tx, line, at) => {
      const before = await of.lines.findInTx(tx, line.workspace, line.line_id);
      const after = withOffer(before, line);
      if (after !== null) await saveLine(tx, of, before, after, at, new Date(line.proposal.updated_at));
    },
    applied: async (line) => {
      if (line.sandbox) await of.due.applied(line.workspace);
    },
  });
