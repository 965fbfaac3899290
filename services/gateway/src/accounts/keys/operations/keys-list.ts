import type { ReadHandler } from '@cds/service';
import { type KeyUseDeps, keyUse } from '../key-use.js';
import { presentKey } from '../present-key.js';
import type { Keys } from '../store/keys.js';

/** The revoked and expired keys that are still listed, those that ended last. */
const ENDED_LISTED = 100;

/**
 * The keys of the workspace with their mandates and without secrets: its own agent key, the active ones by age, then
 * the keys that ended last. Source: docs/domain/access.md#developers-area.
 */
export const keysList: ReadHandler<'keys_list', KeyUseDeps & { keys: Keys }> = async (
  ctx,
  _input,
  { keys, ...deps },
) => {
  const listed = await keys.inForce(await keys.listed(ctx.principal.workspace, ctx.networkNow, ENDED_LISTED));
  const inOrder = [...listed.filter((key) => key.own), ...listed.filter((key) => !key.own)];
  const use = await keyUse(ctx, inOrder, deps);

  return { keys: inOrder.map((key) => presentKey(key, use(key.key_id))) };
};
