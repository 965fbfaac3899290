import { notFound } from '@cds/contracts';
import type { ReadHandler } from '@cds/service';
import { type LinkKeys, readLinkToken } from '../domain/creator-link.js';
import { isLinkAlive, offerState } from '../domain/offer-state.js';
import type { Offers } from '../store/offers.js';
import type { LineClock } from './paid-line.js';

/** Raises not_found for a token that was never made, was replaced, or whose line ended 30 days ago. */
export const creatorLink: ReadHandler<'creator_link', LineClock & { offers: Offers; links: LinkKeys }> = async (
  _ctx,
  { token },
  { offers, links, clocks },
) => {
  const read = readLinkToken(links, token);
  const offer = read === null ? null : await offers.offer(read.id);
  if (read === null || offer === null) throw notFound('link');
  const { line, own } = offer;
  const now = await clocks.now(line.ws);
  if (!isLinkAlive(offer, read.number, now)) throw notFound('link');

  return {
    workspace: line.ws,
    sandbox: line.sandbox,
    proposal_id: own._id,
    creator_id: own.creator_id,
    line_id: line._id,
    attempt: own.attempt,
    undelivered: own.state === 'sending' && offerState(offer, now) === 'open',
    now: now.toISOString(),
  };
};
