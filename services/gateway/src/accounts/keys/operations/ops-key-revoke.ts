import { conflict, notFound } from '@cds/contracts';
import { actorOf, change, RecordedOutcome, runWrite, type WriteHandler, type WriteShell } from '@cds/service';
import type { Workspaces } from '../../brands/store/workspaces.js';
import { rightOf } from '../../rights/domain/rights.js';
import type { RightEnds } from '../../rights/store/right-ends.js';
import type { KeyChanges } from '../store/key-changes.js';
import { keyOfAnyone, presentOpsKey } from '../store/key-list.js';
import type { Keys } from '../store/keys.js';

/**
 * Revokes a key of a brand for good: a request that begins after the answer is 401 on every replica, and nothing in
 * progress with it is signed after the answer (I74). Raises not_found, conflict (bad_state for a revoked key and for
 * the own agent key), unavailable while that is not known. Source: docs/domain/operators.md#operators,
 * docs/domain/access.md#keys.
 */
export const opsKeyRevoke: WriteHandler<
  'ops_key_revoke',
  { shell: WriteShell; keys: Keys; keyChanges: KeyChanges; rightEnds: RightEnds; workspaces: Workspaces }
> = async (ctx, input, { shell, keys, keyChanges, rightEnds, workspaces }) => {
  const found = await keyOfAnyone(keys, input.id);
  if (found === null) throw notFound('key');
  const { ws, key_id } = found;

  const outcome = await runWrite(shell, ctx, 'ops_key_revoke', 200, async () => {
    const workspace = await workspaces.byId(ws);
    // A revocation that is committed counts, though the key may not have it yet.
    await keyChanges.applyOf(ws, key_id);
    const key = await keyOfAnyone(keys, input.id);
    if (workspace === null || key === null) throw notFound('key');
    if (key.own) throw conflict('bad_state', 'This is the own agent key of its workspace, which cannot be revoked.');
    if (key.revoked_at !== null) throw conflict('bad_state', 'The key is already revoked.');

    const at = ctx.networkNow;
    const [shown = key] = await keys.inForce([key]);
    return change(presentOpsKey({ ...shown, revoked_at: at }, at), {
      save: async (tx) => {
        await workspaces.lockKeys(tx, workspace);
        await keyChanges.add(tx, [{ kind: 'revoked', ws, key_ids: [key_id], at }], at);
      },
      audit: [
        {
          ws,
          actor: actorOf(ctx),
          action: 'key.revoked',
          object: key_id,
          reason: input.reason,
          payload: { name: key.name },
        },
      ],
    });
  });

  // After a crash between the commit and this, a replay does it.
  await keyChanges.apply(await keyChanges.pending(ws, []));
  await rightEnds.settle([rightOf.key(key_id)]);
  return new RecordedOutcome(outcome);
};
