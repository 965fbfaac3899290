import type { ReadHandler } from '@cds/service';
import { type CreatorDeps, ownOffer, shownOffer } from './creator-offer.js';

/** The proposal that a link opens. Source: docs/domain/access.md#creator-links. */
export const creatorProposal: ReadHandler<'creator_proposal', CreatorDeps> = async (ctx, _input, deps) =>
  shownOffer(ctx, await ownOffer(ctx, deps.offers), deps);
