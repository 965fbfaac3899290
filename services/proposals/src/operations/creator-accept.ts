import type { WriteHandler } from '@cds/service';
import { acceptOffer } from '../domain/creator-moves.js';
import { answeredBy, type CreatorDeps, ownOffer } from './creator-offer.js';

/** Raises conflict (closed, replaced, already_answered, bad_dates). Source: docs/domain/pages.md#creator-links. */
export const creatorAccept: WriteHandler<'creator_accept', CreatorDeps> = async (ctx, { date }, deps) => {
  const offer = await ownOffer(ctx, deps.offers);
  return answeredBy(ctx, offer, acceptOffer(offer, ctx.now, date ?? null), 'proposal.accept', deps);
};
