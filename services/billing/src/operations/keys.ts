import type { ReadHandler, WriteHandler } from '@cds/service';
import { monthOf, spentCents } from '../domain/authority.js';
import type { GatedSignings } from '../signing/recovery.js';
import type { Authorities } from '../store/authority.js';

/**
 * Raises a key's gate: no later approval reserves under an older mandate version or on an ended right. Approvals that
 * held cents before are settled by the answer: signed, or never. Idempotent; never lowers the gate. Raises unavailable,
 * with the gate up, while planning does not say what was signed. Source: docs/reliability.md#ended-rights (I74).
 */
export const gateRaise: WriteHandler<'gate_raise', { authorities: Authorities; gated: GatedSignings }> = async (
  ctx,
  { workspace, key_id: key, version, ended },
  { authorities, gated },
) => {
  const raised = await authorities.raise(workspace, key, { version, ended });
  await gated.settle(ctx, raised);

  return { min_mandate_version: raised.min_mandate_version };
};

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
