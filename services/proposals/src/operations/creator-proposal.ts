import type { CreatorPost } from '@cds/contracts';
import type { Client, Ctx, ReadHandler } from '@cds/service';
import { type Offer, offerState } from '../domain/offer-state.js';
import { type CreatorDeps, ownOffer, shownOffer } from './creator-offer.js';

type Calls = Client<'creator_post_read'>;

/** Source: docs/domain/pages.md#creator-links. */
export const creatorProposal: ReadHandler<'creator_proposal', CreatorDeps & { calls: Calls }> = async (
  ctx,
  _input,
  deps,
) => {
  const offer = await ownOffer(ctx, deps.offers);
  return shownOffer(ctx, offer, deps, await postOf(ctx, offer, deps.calls));
};

const postOf = async (ctx: Ctx, offer: Offer, calls: Calls): Promise<CreatorPost | null> => {
  if (offerState(offer, ctx.now) !== 'booked') return null;
  const { line, own } = offer;
  const { post } = await calls.creator_post_read(ctx, { line_id: line._id, attempt: own.attempt });
  return post;
};
