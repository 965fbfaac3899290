import { conflict, notFound } from '@cds/contracts';
import { change, type WriteHandler } from '@cds/service';
import type { Identities } from '../../identity/identities.js';
import { auditedBy } from '../../operators/operator-creator-service.js';
import { presentPriceAsk } from '../../present/ops-creator.js';
import type { PriceAsks } from '../../store/price-asks.js';

/** Raises not_found, conflict (bad_state). Source: docs/domain/network.md#price-requests. */
export const opsPriceAskClose: WriteHandler<
  'ops_price_ask_close',
  { priceAsks: PriceAsks; identities: Identities }
> = async (ctx, input, { priceAsks, identities }) => {
  const ask = await priceAsks.byId(input.id);
  if (ask === null) throw notFound('price request');
  if (ask.status !== 'requested') throw conflict('bad_state', `This price request is already ${ask.status}.`);
  const [identity] = await identities.ofCreators([ask.creator_id]);

  const closed = { ...ask, status: 'closed' as const, answered_at: ctx.networkNow };
  return change(presentPriceAsk(closed, identity?.handle ?? null), {
    save: (tx) => priceAsks.close(tx, ask, ctx.networkNow),
    audit: [auditedBy(ctx, 'price_ask.closed', ask._id, input.reason, { ask: ask._id })],
  });
};
