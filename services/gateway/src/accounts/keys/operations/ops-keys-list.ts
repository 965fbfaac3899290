import { listed, type ReadHandler } from '@cds/service';
import type { Workspaces } from '../../brands/store/workspaces.js';
import { keysPage, presentOpsKey } from '../store/key-list.js';
import type { Keys } from '../store/keys.js';

/** Brands' keys with their mandates and without secrets. Source: docs/domain/operators.md#operators. */
export const opsKeysList: ReadHandler<'ops_keys_list', { keys: Keys; workspaces: Workspaces }> = async (
  ctx,
  input,
  { keys, workspaces },
) => {
  const now = ctx.networkNow;
  const ofBrand =
    input.brand === undefined ? null : (await workspaces.ofBrand(input.brand.toLowerCase())).map(({ _id }) => _id);
  const one = input.workspace?.toLowerCase();
  const among = one === undefined ? ofBrand : [one].filter((ws) => ofBrand === null || ofBrand.includes(ws));

  return listed(input, {
    rows: async (place, limit) =>
      keys.inForce(await keysPage(keys, { workspaces: among, state: input.state ?? null, now }, place, limit)),
    placeOf: ({ _id, created_at }) => ({ at: created_at, id: _id }),
    present: (key) => presentOpsKey(key, now),
  });
};
