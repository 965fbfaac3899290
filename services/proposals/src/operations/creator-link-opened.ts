import { notFound } from '@cds/contracts';
import { change, type WriteHandler } from '@cds/service';
import { delivered } from '../domain/creator-moves.js';
import { offerState } from '../domain/offer-state.js';
import { lineChanged } from '../present/line-changed.js';
import type { Offers } from '../store/offers.js';
import type { LineClock } from './paid-line.js';

/** Opening the link delivers a proposal whose message was not reported sent yet. Raises not_found. */
export const creatorLinkOpened: WriteHandler<'creator_link_opened', LineClock & { offers: Offers }> = async (
  _ctx,
  { proposal_id },
  { offers, clocks },
) => {
  const offer = await offers.offer(proposal_id);
  if (offer === null) throw notFound('proposal');
  const { line, own } = offer;
  const now = await clocks.now(line.ws);
  const answer = { opened: true as const };
  if (own.state !== 'sending' || offerState(offer, now) !== 'open') return change(answer, { save: async () => {} });

  const chain = { line, proposal: own };
  const move = delivered(chain, now);
  return change(answer, {
    save: (tx) => offers.save(tx, chain, move),
    events: [{ name: 'line.changed', payload: lineChanged(move.chain) }],
  });
};
