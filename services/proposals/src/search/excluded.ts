import { after, type OfferLine } from '../domain/chain.js';
import { DECLINED_FOR_MS } from '../domain/constants.js';
import type { Offers } from '../store/offers.js';

export type Sought = { line: OfferLine; at: Date };

export type Excluded = { onOrder: string[]; ofLine: string[] };

/** Everyone who was asked for the line (I32), is on its order now, or declined the workspace in the last 30 days. */
export const excludedForEach = async (offers: Offers, sought: readonly Sought[]): Promise<Map<string, Excluded>> => {
  if (sought.length === 0) return new Map();
  const workspaces = [...new Set(sought.map(({ line }) => line.ws))];
  const orders = [...new Set(sought.map(({ line }) => line.order_id))];
  const instants = sought.map(({ at }) => at.getTime());
  const [onOrders, declined] = await Promise.all([
    offers.creatorsOnOrders(workspaces, orders),
    offers.declinedBetween(
      workspaces,
      after(new Date(Math.min(...instants)), -DECLINED_FOR_MS),
      new Date(Math.max(...instants)),
    ),
  ]);
  return new Map(
    sought.map(({ line, at }) => {
      const since = after(at, -DECLINED_FOR_MS);
      const lately = declined.filter((one) => one.ws === line.ws && one.declined_at > since && one.declined_at <= at);
      const onOrder = onOrders.get(line.order_id) ?? [];
      return [line._id, { onOrder, ofLine: [...line.tried, ...lately.map(({ creator_id }) => creator_id)] }];
    }),
  );
};

export const excludedFor = async (offers: Offers, line: OfferLine, at: Date): Promise<string[]> => {
  const excluded = (await excludedForEach(offers, [{ line, at }])).get(line._id);
  return [...new Set([...(excluded?.onOrder ?? []), ...(excluded?.ofLine ?? [])])];
};

/** Whom a person may not name: only the search leaves out who declined lately. */
export const excludedFromNaming = async (offers: Offers, line: OfferLine): Promise<string[]> => {
  const onOrders = await offers.creatorsOnOrders([line.ws], [line.order_id]);
  return [...new Set([...(onOrders.get(line.order_id) ?? []), ...line.tried])];
};
