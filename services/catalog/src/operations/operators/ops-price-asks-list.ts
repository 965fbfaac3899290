import type { ReadHandler } from '@cds/service';
import type { Identities } from '../../identity/identities.js';
import { presentPriceAsk } from '../../present/ops-creator.js';
import type { PriceAsks } from '../../store/price-asks.js';
import { offsetOf } from './ops-prices-list.js';

const PAGE = 50;

/** Of every brand, oldest first. Source: docs/domain/network.md#price-requests. */
export const opsPriceAsksList: ReadHandler<
  'ops_price_asks_list',
  { priceAsks: PriceAsks; identities: Identities }
> = async (_ctx, input, { priceAsks, identities }) => {
  const [from, limit] = [offsetOf(input.cursor), input.limit ?? PAGE];
  const rows = await priceAsks.page(input.status ?? null, from, limit + 1);
  const page = rows.slice(0, limit);
  const known = new Map((await identities.ofCreators(page.map((ask) => ask.creator_id))).map((one) => [one._id, one]));

  return {
    price_asks: page.map((ask) => presentPriceAsk(ask, known.get(ask.creator_id)?.handle ?? null)),
    next: rows.length > limit ? String(from + limit) : null,
  };
};
