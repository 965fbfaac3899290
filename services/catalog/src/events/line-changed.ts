import type { EventPayload } from '@cds/contracts';
import { type Audit, type Consumer, consumerOf, Deadline, inTx, type Store } from '@cds/service';
import type { OperatedCreators } from '../store/operated-creators.js';
import type { PaidOrders } from '../store/paid-orders.js';
import type { Silences } from '../store/silences.js';

type Silent = { store: Store; audit: Audit; silences: Silences; operated: OperatedCreators };

/** As many unanswered offers end automatic plans for a creator (docs/domain/orders.md#proposals). */
const SILENT_AT = 2;
const CHANGE_MS = 5_000;

/**
 * Adds the creators on lines of a paid order, replacements included; lines exist only for paid orders. A creator of
 * live offers who left two unanswered is taken out of automatic plans.
 */
export const onLineChanged = (paidOrders: PaidOrders, silent: Silent): Consumer =>
  consumerOf({
    event: 'line.changed',
    project: async (line, at) => {
      await paidOrders.add({
        id: line.order_id,
        workspace: line.workspace,
        creatorIds: [line.creator_id],
        version: 0,
      });
      if (!line.sandbox && line.proposal.state === 'no_reply') await noteSilence(line, at, silent);
    },
  });

const noteSilence = async (
  { line_id, attempt, creator_id, proposal }: EventPayload<'line.changed'>,
  at: Date,
  { store, audit, silences, operated }: Silent,
): Promise<void> => {
  const since = new Date(proposal.updated_at);
  if ((await silences.note({ _id: `${line_id}|${attempt}`, creator_id, at: since })) < SILENT_AT) return;
  const creator = await operated.byId(creator_id);
  if (creator === null || creator.manual_only) return;
  await inTx(store, Deadline.in(CHANGE_MS), async (tx) => {
    await operated.change(tx, creator, { manual_only: true });
    await audit.add(
      tx,
      [{ ws: '', actor: 'system', action: 'creator.manual_only', object: creator_id, payload: { cause: 'no_reply' } }],
      at,
    );
  });
};
