import { conflict } from '@cds/contracts';
import type { WriteHandler } from '@cds/service';
import { movableDays, moveBookedDay } from '../domain/creator-moves.js';
import { type OpsProposalDeps, operated, opsMoveOf, proposalNamed } from './operated-proposal.js';

/** Raises not_found, conflict (bad_state, bad_dates). Source: docs/domain/orders.md#line-status. */
export const opsProposalDate: WriteHandler<'ops_proposal_date', OpsProposalDeps> = async (
  ctx,
  { id, date, reason },
  deps,
) => {
  const offer = await proposalNamed(deps.offers, id);
  const now = await deps.clocks.now(offer.line.ws);

  const answered = moveBookedDay(offer, now, date);
  if ('refusal' in answered && answered.refusal === 'bad_dates') {
    const { first, last } = movableDays(offer.line, now);
    throw conflict('bad_dates', `The day must be from ${first} to ${last}.`, { first, last });
  }
  return operated(ctx, offer, opsMoveOf(offer, answered), { action: 'proposal.date', reason }, deps);
};
