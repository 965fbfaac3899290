import { after, type OfferLine } from '../domain/chain.js';
import { DECLINED_FOR_MS } from '../domain/constants.js';
import type { Offers } from '../store/offers.js';

/**
 * Whom nobody may offer a line to: everyone who was asked for it (I32), who is on another line of its order now, or who
 * declined the workspace in the 30 days before `at`. Source: docs/domain/orders.md#replacement-search.
 */
export const excludedFor = async (offers: Offers, line: OfferLine, at: Date): Promise<string[]> => {
  const [onOrder, declined] = await Promise.all([
    offers.creatorsOnOrder(line.ws, line.order_id),
    offers.declinedBetween(line.ws, after(at, -DECLINED_FOR_MS), at),
  ]);
  return [...new Set([...line.tried, ...onOrder, ...declined])];
};
