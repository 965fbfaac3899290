import type { ReadHandler } from '@cds/service';
import { pauseOf } from '../domain/vetting/own-pause.js';
import type { OperatedCreators } from '../store/operated-creators.js';

/** The newest ask behind an all-in price, in US cents: what the creator is paid. Null when no ask led to it. */
export const creatorTerms: ReadHandler<
  'creator_terms',
  { operated: Pick<OperatedCreators, 'askBehind' | 'byId'> }
> = async (_ctx, { creator_id, unit_id, price_cents }, { operated }) => {
  const [creator, payout_cents] = await Promise.all([
    operated.byId(creator_id),
    unit_id === null ? null : operated.askBehind(unit_id, price_cents),
  ]);

  return { payout_cents, proposals: creator === null ? 'closed' : pauseOf(creator) };
};
