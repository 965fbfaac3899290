import type { OpsPayout } from '@cds/contracts';
import type { Client, Ctx } from '@cds/service';
import type { Chain } from '../domain/chain.js';
import { presentOpsPayout } from '../present/ops-payout.js';
import { handlesOf } from './operated-proposal.js';

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
