// What proposals asks the operator's team to do (docs/domain/operators.md#tasks-and-feedback).
import type { EventPayload } from '@cds/contracts';
import { namedUuid } from '@cds/service/named-uuid';
import type { Chain } from './chain.js';

export type LineTask = EventPayload<'proposals_task.opened'>;

/** A live line for which a search has found nobody, once for each attempt that ended. */
export const unfilledTasks = (before: Chain, after: Chain): LineTask[] => {
  const { line, proposal } = after;
  if (line.sandbox || proposal.state !== 'unfilled' || before.proposal.state === 'unfilled') return [];
  return [
    {
      aggregate: namedUuid('line_unfilled', line._id, String(proposal.attempt)),
      version: 1,
      kind: 'line_unfilled',
      about: { line_id: line._id, order_id: line.order_id, campaign_id: line.campaign_id },
      note: proposal.ends_at == null ? null : `By ${proposal.ends_at.toISOString()}; then the line is credited.`,
      opened_at: proposal.updated_at.toISOString(),
    },
  ];
};
