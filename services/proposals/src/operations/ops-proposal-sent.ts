import { conflict } from '@cds/contracts';
import type { WriteHandler } from '@cds/service';
import { delivered } from '../domain/creator-moves.js';
import { offerState } from '../domain/offer-state.js';
import { type OpsProposalDeps, operated, proposalNamed } from './operated-proposal.js';

/** Raises not_found, conflict (bad_state). Source: docs/domain/orders.md#proposals. */
export const opsProposalSent: WriteHandler<'ops_proposal_sent', OpsProposalDeps> = async (ctx, input, deps) => {
  const offer = await proposalNamed(deps.offers, input.id);
  const now = await deps.clocks.now(offer.line.ws);
  const { line, own } = offer;
  if (own.state !== 'sending' || offerState(offer, now) !== 'open')
    throw conflict('bad_state', 'This proposal does not wait for its message to be sent.', { state: own.state });

  const move = delivered({ line, proposal: own }, now);
  return operated(ctx, offer, move, { action: 'proposal.sent', reason: input.reason }, deps);
};
