import { conflict, type OpsPayout, unprocessable } from '@cds/contracts';
import { actorOf, type Client, type Ctx, change, listed, type ReadHandler, type WriteHandler } from '@cds/service';
import type { Chain, OfferLine } from '../domain/chain.js';
import { paidOut, payoutCameBack, payoutMost, payoutProblem, payoutState } from '../domain/payout.js';
import { presentOpsPayout } from '../present/ops-payout.js';
import type { Offers } from '../store/offers.js';
import { handlesOf } from './ops-proposals.js';
import { paidChain } from './paid-line.js';

export const shownPayouts = async (
  ctx: Ctx,
  chains: readonly Chain[],
  { calls }: { calls: Client<'identity_reveal' | 'creator_terms'> },
): Promise<OpsPayout[]> => {
  const [handles, asks] = await Promise.all([
    handlesOf(
      ctx,
      chains.map(({ line, proposal }) => ({ line, own: proposal })),
      calls,
    ),
    Promise.all(
      chains.map(({ line: { creator_id, unit_id, fill_cents, price_cents } }) =>
        calls.creator_terms(ctx, { creator_id, unit_id, price_cents: fill_cents ?? price_cents }),
      ),
    ),
  ]);
  return chains.map(({ line, proposal }, at) =>
    presentOpsPayout(line, handles.get(proposal._id) ?? null, asks[at]?.payout_cents ?? null),
  );
};

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
