import { type Client, listed, type ReadHandler } from '@cds/service';
import type { Chain } from '../domain/chain.js';
import type { Offers } from '../store/offers.js';
import { shownPayouts } from './shown-payouts.js';

type Deps = { offers: Offers; calls: Client<'identity_reveal' | 'creator_terms'> };

/** Live campaigns only, the longest proved first. Source: docs/domain/orders.md#payouts. */
export const opsPayoutsList: ReadHandler<'ops_payouts_list', Deps> = async (ctx, input, deps) => {
  const page = await listed(input, {
    rows: (place, limit) => deps.offers.provedLines(input.state ?? 'due', place, limit),
    placeOf: ({ line }) => ({ at: line.post?.completed_at ?? new Date(0), id: line._id }),
    present: (chain: Chain) => chain,
  });

  return { items: await shownPayouts(ctx, page.items, deps), next: page.next };
};
