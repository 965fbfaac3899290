import type { WriteHandler } from '@cds/service';
import { withdrawOffer } from '../domain/creator-moves.js';
import { answeredBy, type CreatorDeps, ownOffer } from './creator-offer.js';

/** Raises conflict (closed, replaced, not_accepted, date_booked). Source: docs/domain/pages.md#creator-links. */
export const creatorWithdraw: WriteHandler<'creator_withdraw', CreatorDeps> = async (ctx, input, deps) => {
  const offer = await ownOffer(ctx, deps.offers);
  return answeredBy(ctx, offer, withdrawOffer(offer, ctx.now, input), 'proposal.withdraw', deps);
};
