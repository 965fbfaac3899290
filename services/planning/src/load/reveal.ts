import type { Client, Ctx } from '@cds/service';
import { Revealed } from '../present/revealed.js';

/** Handles stay visible after a refund; catalog decides by its own record (docs/reliability.md#handles). */
export const revealFor = async (
  ctx: Ctx,
  catalog: Client<'identity_reveal'>,
  order: { order_id: string; paid: boolean } | null,
  creatorIds: readonly (string | null)[],
): Promise<Revealed> => {
  const ids = [...new Set(creatorIds.filter((id): id is string => id !== null))];
  if (order === null || !order.paid || ids.length === 0) return Revealed.nothing;
  return Revealed.from(await catalog.identity_reveal(ctx, { order_id: order.order_id, creator_ids: ids }));
};
