import { conflict, type OpsPayout } from '@cds/contracts';
import { actorOf, type Client, change, type WriteHandler } from '@cds/service';
import { payoutCameBack, payoutState } from '../domain/payout.js';
import type { Offers } from '../store/offers.js';
import { paidChain } from './paid-line.js';
import { shownPayouts } from './shown-payouts.js';

type Deps = { offers: Offers; calls: Client<'identity_reveal' | 'creator_terms'> };

/** Raises not_found, conflict (bad_state). Source: docs/domain/orders.md#payouts. */
export const opsLinePayoutReturned: WriteHandler<'ops_line_payout_returned', Deps> = async (
  ctx,
  { id, reason },
  deps,
) => {
  const before = await paidChain(deps.offers, id, null);
  const { payout } = before.line;
  if (payout == null)
    throw conflict('bad_state', 'No payout of this post is recorded, so none can come back.', {
      state: payoutState(before.line),
    });

  const line = payoutCameBack(before.line, payout, ctx.networkNow);
  const [shown] = (await shownPayouts(ctx, [{ ...before, line }], deps)) as [OpsPayout];
  return change(shown, {
    save: (tx) => deps.offers.put(tx, [{ before, after: { ...before, line } }]),
    audit: [
      {
        ws: line.ws,
        actor: actorOf(ctx),
        action: 'line.payout_returned',
        object: line._id,
        reason,
        payload: { amount_cents: payout.amount_cents, reference: payout.reference },
      },
    ],
  });
};
