import type { WriteHandler } from '@cds/service';
import { declineOffer } from '../domain/creator-moves.js';
import { answeredBy, type CreatorDeps, ownOffer } from './creator-offer.js';

/** Raises conflict (closed, replaced, already_answered). Source: docs/domain/pages.md#creator-links. */
export const creatorDecline: WriteHandler<'creator_decline', CreatorDeps> = async (ctx, input, deps) => {
  const offer = await ownOffer(ctx, deps.offers);
  return answeredBy(ctx, offer, declineOffer(offer, ctx.now, input), 'proposal.decline', deps);
};
