import { conflict, type LinkedProposal } from '@cds/contracts';
import { change, RecordedOutcome, runWrite, type WriteHandler, type WriteShell } from '@cds/service';
import { relinked } from '../domain/creator-moves.js';
import { linkEnd } from '../domain/offer-state.js';
import { linkOf, type OpsProposalDeps, operated, proposalNamed } from './operated-proposal.js';

/**
 * Makes a new link, which voids the old one. No other operation answers a link, so the audit has every one that was
 * given. The record holds the link's number: a replay answers the same link, even once a newer one has voided it.
 * Raises not_found, conflict (bad_state). Source: docs/domain/pages.md#creator-links.
 */
export const opsProposalLink: WriteHandler<'ops_proposal_link', OpsProposalDeps & { shell: WriteShell }> = async (
  ctx,
  input,
  deps,
) => {
  const outcome = await runWrite(deps.shell, ctx, 'ops_proposal_link', 200, async () => {
    const offer = await proposalNamed(deps.offers, input.id);
    const { line, own, newest } = offer;
    if (own._id !== newest._id)
      throw conflict('bad_state', 'This place was given to someone else.', { state: own.state });

    const end = linkEnd(offer);
    if (end !== null && end <= (await deps.clocks.now(line.ws)))
      throw conflict('bad_state', 'The line ended more than 30 days ago, so no link opens it.', { state: own.state });

    const move = relinked({ line, proposal: own });
    const done = await operated(ctx, offer, move, { action: 'proposal.link', reason: input.reason }, deps);
    return change({ ...done.answer, link: String(move.chain.proposal.link) }, done.parts);
  });
  if (!outcome.ok) return new RecordedOutcome(outcome);

  // A record of an earlier version has no number: its link opens nothing, and another Idempotency-Key gets a new one.
  const { link: number, ...shown } = JSON.parse(outcome.json.toString()) as LinkedProposal;
  const json = Buffer.from(JSON.stringify({ ...shown, link: linkOf(deps, shown.id, Number(number)) }));
  return new RecordedOutcome({ ...outcome, json });
};
