import { type Consumer, consumerOf, type DueFacts } from '@cds/service';
import { withOffer } from '../domain/line.js';
import { type LineChange, type Projection, saveLines } from './projection.js';

export const lineChanged = (of: Projection & { due: DueFacts }): Consumer =>
  consumerOf({
    event: 'line.changed',
    applyAll: async (tx, events, at) => {
      const offers = events.map(({ payload }) => payload);
      const known = await of.lines.findAllInTx(
        tx,
        offers.map(({ workspace }) => workspace),
        offers.map(({ line_id }) => line_id),
      );
      const changes = offers.flatMap((offer): LineChange[] => {
        const before = known.get(offer.line_id) ?? null;
        const after = withOffer(before, offer);
        if (after === null) return [];
        known.set(offer.line_id, after);
        return [{ before, after, happened: new Date(offer.proposal.updated_at) }];
      });
      await saveLines(tx, of, changes, at);
    },
    applied: (lines) => of.due.applied(lines.flatMap(({ sandbox, workspace }) => (sandbox ? workspace : []))),
  });
