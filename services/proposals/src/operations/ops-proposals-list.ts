import { listed, type ReadHandler } from '@cds/service';
import { type OpsProposalDeps, shownProposals } from './operated-proposal.js';

/** The longest unchanged first. Source: docs/domain/operators.md#operators. */
export const opsProposalsList: ReadHandler<'ops_proposals_list', OpsProposalDeps> = async (ctx, input, deps) => {
  const olderThan = input.older_than === undefined ? null : new Date(input.older_than);
  const page = await listed(input, {
    rows: (place, limit) => deps.offers.page(input.state ?? null, olderThan, place, limit),
    placeOf: ({ own }) => ({ at: own.updated_at, id: own._id }),
    present: (offer) => offer,
  });

  return { items: await shownProposals(ctx, page.items, deps), next: page.next };
};
