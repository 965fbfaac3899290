import type { WriteHandler } from '@cds/service';
import { bookOffer } from '../domain/creator-moves.js';
import { answeredBy, type CreatorDeps, ownOffer } from './creator-offer.js';

/**
 * Raises conflict (closed, replaced, not_accepted, date_booked, bad_dates). Source:
 * docs/domain/pages.md#creator-links.
 */
export const creatorDate: WriteHandler<'creator_date', CreatorDeps> = async (ctx, { date }, deps) => {
  const offer = await ownOffer(ctx, deps.offers);
  return answeredBy(ctx, offer, bookOffer(offer, ctx.now, date), 'proposal.date', deps);
};
