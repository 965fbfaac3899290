import type { ReadHandler } from '@cds/service';
import { spentCents } from '../domain/authority.js';
import { monthOf } from '../domain/month.js';
import type { Authorities } from '../store/authority.js';

/** In cents; keys that never had a mandate are left out. Source: docs/domain/orders.md#spend. */
export const keysSpent: ReadHandler<'keys_spent', { authorities: Authorities }> = async (
  ctx,
  { workspace, keys },
  { authorities },
) => {
  const views = await authorities.views(workspace, [...new Set(keys.map((key) => key.parent_id ?? key.key_id))]);
  const byKey = new Map(views.map((view) => [view.authority._id, view]));

  return {
    spent: keys.flatMap(({ key_id, parent_id }) => {
      const view = byKey.get(parent_id ?? key_id);
      if (view === undefined) return [];
      const child = parent_id === null ? null : key_id;
      return [{ key_id, spent_this_month_cents: spentCents(view, monthOf(ctx.now), child) }];
    }),
  };
};
