import { type Ctx, change, RecordedOutcome, runWrite, type WriteShell } from '@cds/service';
import { type Brands, presentBrand } from '../store/brands.js';
import type { KeyChanges } from '../store/key-changes.js';
import type { Workspaces } from '../store/workspaces.js';
import { moveAudit, moveBrand } from './brand-move.js';

export type SuspendDeps = { shell: WriteShell; brands: Brands; workspaces: Workspaces; keyChanges: KeyChanges };

/**
 * Suspends or reinstates a brand for a lead. Every key of its workspaces is changed after the commit and before the
 * answer, a replayed one too, so the next request at any gateway finds it; sessions act as the own agent key. Raises
 * not_found, conflict (bad_state). Source: docs/domain/access.md#workspaces.
 */
export const suspendBrand = async (
  ctx: Ctx,
  input: { id: string; reason: string },
  move: 'suspend' | 'reinstate',
  { shell, brands, workspaces, keyChanges }: SuspendDeps,
): Promise<RecordedOutcome> => {
  const outcome = await runWrite(shell, ctx, `ops_brand_${move}`, 200, async () => {
    const moved = await moveBrand(ctx, input.id, move, brands);
    const { version } = moved.to;
    const suspended = moved.to.status === 'suspended';
    const all = await workspaces.ofBrand(moved.from._id);

    return change(presentBrand(moved.to, all), {
      save: async (tx) => {
        await brands.move(tx, moved.from, moved.to);
        await workspaces.setSuspended(tx, moved.from._id, suspended, version);
        const changes = all.map(({ _id }) => ({ kind: 'suspension' as const, ws: _id, version, suspended }));
        await keyChanges.add(tx, changes, ctx.networkNow);
      },
      audit: all.map(({ _id }) => moveAudit(ctx, moved, _id, input.reason)),
    });
  });

  for (const { _id } of await workspaces.ofBrand(input.id.toLowerCase()))
    await keyChanges.apply(await keyChanges.pending(_id, []));
  return new RecordedOutcome(outcome);
};
