import { conflict, type OpsPayout, unprocessable } from '@cds/contracts';
import { actorOf, type Client, change, type WriteHandler } from '@cds/service';
import type { OfferLine } from '../domain/chain.js';
import { paidOut, payoutMost, payoutProblem } from '../domain/payout.js';
import type { Offers } from '../store/offers.js';
import { paidChain } from './paid-line.js';
import { shownPayouts } from './shown-payouts.js';

type Deps = { offers: Offers; calls: Client<'identity_reveal' | 'creator_terms'> };

/**
 * Only records it: the team moves the money. Raises not_found, unprocessable, conflict. Source:
 * docs/domain/orders.md#payouts.
 */
export const opsLinePayout: WriteHandler<'ops_line_payout', Deps> = async (
  ctx,
  { id, amount_cents, reference, reason },
  deps,
) => {
  const before = await paidChain(deps.offers, id, null);
  mustBeDue(before.line, amount_cents);

  const line = paidOut(before.line, { amount_cents, reference, at: ctx.networkNow });
  const [payout] = (await shownPayouts(ctx, [{ ...before, line }], deps)) as [OpsPayout];
  return change(payout, {
    save: (tx) => deps.offers.put(tx, [{ before, after: { ...before, line } }]),
    audit: [
      {
        ws: line.ws,
        actor: actorOf(ctx),
        action: 'line.payout',
        object: line._id,
        reason,
        payload: { amount_cents, reference },
      },
    ],
  });
};

const mustBeDue = (line: OfferLine, amountCents: number): void => {
  const problem = payoutProblem(line, amountCents);
  if (problem === 'too_much')
    throw unprocessable([
      { field: 'amount_cents', message: `must be at most ${payoutMost(line)}, the price at which the line is filled` },
    ]);
  if (problem !== null)
    throw conflict(
      'bad_state',
      problem === 'paid'
        ? 'The payout of this post is recorded already.'
        : 'The post of this line is not proved, so nothing is due to its creator yet.',
      { state: problem },
    );
};
