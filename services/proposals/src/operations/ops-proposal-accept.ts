import type { WriteHandler } from '@cds/service';
import { acceptOffer } from '../domain/creator-moves.js';
import { type OpsProposalDeps, operated, opsMoveOf, proposalNamed } from './operated-proposal.js';

/** Raises not_found, conflict (bad_state, bad_dates). Source: docs/domain/orders.md#proposals. */
export const opsProposalAccept: WriteHandler<'ops_proposal_accept', OpsProposalDeps> = async (ctx, input, deps) => {
  const offer = await proposalNamed(deps.offers, input.id);
  const now = await deps.clocks.now(offer.line.ws);

  const move = opsMoveOf(offer, acceptOffer(offer, now, input.date ?? null));
  return operated(ctx, offer, move, { action: 'proposal.accept', reason: input.reason }, deps);
};
