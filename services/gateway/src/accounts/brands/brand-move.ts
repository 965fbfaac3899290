import { conflict, notFound } from '@cds/contracts';
import { type Audited, actorOf, type Ctx } from '@cds/service';
import { type BrandMove, brandMoved } from './domain/brand-moves.js';
import type { Brands } from './store/brands.js';
import type { BrandRow } from './store/workspaces.js';

export type Moved = { from: BrandRow; to: BrandRow };

/** Loads a brand and moves it. Raises not_found, conflict (bad_state). Source: docs/domain/access.md#workspaces. */
export const moveBrand = async (ctx: Ctx, id: string, move: BrandMove, brands: Brands): Promise<Moved> => {
  const from = await brands.byId(id);
  if (from === null) throw notFound('brand');
  const moved = brandMoved(from.status, move);
  if ('needs' in moved)
    throw conflict('bad_state', `This brand is ${from.status}. To ${move} it, it must be ${moved.needs}.`, {
      status: from.status,
    });
  const by = ctx.principal.operator?.name ?? 'system';
  return {
    from,
    to: { ...from, status: moved.to, at: ctx.networkNow, changed_by: by, version: from.version + 1 },
  };
};

export const moveAudit = (ctx: Ctx, { from, to }: Moved, ws: string, reason: string): Audited => ({
  ws,
  actor: actorOf(ctx),
  action: `brand.${to.status === 'approved' && from.status === 'suspended' ? 'reinstated' : to.status}`,
  object: from._id,
  reason,
  payload: { from: from.status, to: to.status, version: to.version },
});
