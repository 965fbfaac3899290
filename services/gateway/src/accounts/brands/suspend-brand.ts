import { type Ctx, change, RecordedOutcome, runWrite, type WriteShell } from '@cds/service';
import type { KeyChanges } from '../keys/store/key-changes.js';
import { rightOf } from '../rights/domain/rights.js';
import type { RightEnds } from '../rights/store/right-ends.js';
import { moveAudit, moveBrand } from './brand-move.js';
import { type Brands, presentBrand } from './store/brands.js';
import type { Workspaces } from './store/workspaces.js';

export type SuspendDeps = {
  shell: WriteShell;
  brands: Brands;
  workspaces: Workspaces;
  keyChanges: KeyChanges;
  rightEnds: RightEnds;
};

/**
 * Suspends or reinstates a brand (docs/domain/access.md#workspaces). Its keys change after the commit and before the
 * answer; nothing in progress is signed after that (I74). Raises not_found, conflict (bad_state), unavailable.
 */
export const suspendBrand = async (
  ctx: Ctx,
  input: { id: string; reason: string },
  move: 'suspend' | 'reinstate',
  { shell, brands, workspaces, keyChanges, rightEnds }: SuspendDeps,
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

  const all = await workspaces.ofBrand(input.id.toLowerCase());
  for (const { _id } of all) await keyChanges.apply(await keyChanges.pending(_id, []));
  await rightEnds.settle(all.map(({ _id }) => rightOf.workspace(_id)));
  return new RecordedOutcome(outcome);
};
