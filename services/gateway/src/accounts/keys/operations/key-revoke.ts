import type { Key } from '@cds/contracts';
import { actorOf, type WriteHandler } from '@cds/service';
import type { Usage } from '../../../edge/port.js';
import { type ChangeKeyDeps, changeKey, completed, mustNotBeOwn } from '../change-key.js';
import { UNUSED } from '../key-use.js';
import { presentKey } from '../present-key.js';

/**
 * Revokes a key for good: a request that begins after the answer is 401 on every replica (I48), and nothing in progress
 * with it is signed after the answer (I74). Revoking a revoked key changes nothing. Raises not_found, conflict
 * (bad_state for the own agent key), unavailable while it is not known what was signed. Source:
 * docs/domain/access.md#developers-area, docs/domain/access.md#keys.
 */
export const keyRevoke: WriteHandler<'key_revoke', ChangeKeyDeps & { usage: Pick<Usage, 'lastUsed'> }> = async (
  ctx,
  input,
  deps,
) => {
  const outcome = await changeKey(ctx, { operation: 'key_revoke', keyId: input.id }, deps, (key) => {
    mustNotBeOwn(key, 'It cannot be revoked; remove its mandate to end what the app may write.');
    if (key.revoked_at !== null) return { answer: presentKey(key, UNUSED) };
    return {
      answer: presentKey({ ...key, revoked_at: ctx.networkNow }, UNUSED),
      revoked: true,
      audit: [
        { ws: key.ws, actor: actorOf(ctx), action: 'key.revoked', object: key.key_id, payload: { name: key.name } },
      ],
    };
  });

  return completed<Key>(outcome, async (key) => {
    const last = await deps.usage.lastUsed(ctx.principal.workspace, [key.id]);
    return { ...key, last_used_at: last.get(key.id)?.toISOString() ?? null };
  });
};
