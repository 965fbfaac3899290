import type { WriteHandler } from '@cds/service';
import { declineForCreator } from '../domain/creator-moves.js';
import { type OpsProposalDeps, operated, opsMoveOf, proposalNamed } from './operated-proposal.js';

/** Also ends an acceptance before its post is live. Raises not_found, conflict (bad_state). */
export const opsProposalDecline: WriteHandler<'ops_proposal_decline', OpsProposalDeps> = async (ctx, input, deps) => {
  const offer = await proposalNamed(deps.offers, input.id);
  const now = await deps.clocks.now(offer.line.ws);

  const move = opsMoveOf(offer, declineForCreator(offer, now, input.because));
  return operated(ctx, offer, move, { action: 'proposal.decline', reason: input.reason }, deps);
};
