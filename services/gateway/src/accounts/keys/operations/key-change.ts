import { type Key, unprocessable } from '@cds/contracts';
import { actorOf, type Ctx, type WriteHandler } from '@cds/service';
import {
  type ChangeKeyDeps,
  changeKey,
  completed,
  mustBeActive,
  mustNotBeChild,
  mustNotBeOwn,
  raiseGate,
} from '../change-key.js';
import { expiryProblems, nextSettings, withoutApproval } from '../domain/key-settings.js';
import { type KeyUseDeps, keyUse, UNUSED } from '../key-use.js';
import { mustHaveRoom } from '../new-key.js';
import { presentKey } from '../present-key.js';

/**
 * Changes name, scopes, expiry or may_delegate of a key. A key that loses plans:approve may no longer approve, which is
 * a version of its mandate. Raises not_found, conflict (bad_state for the own agent key, and for more than the name of
 * a child key; too_many_keys for an expired key that would be one too many), unprocessable. Source:
 * docs/domain/access.md#developers-area.
 */
export const keyChange: WriteHandler<'key_change', ChangeKeyDeps & KeyUseDeps> = async (ctx, input, deps) => {
  const outcome = await changeKey(ctx, { operation: 'key_change', keyId: input.id }, deps, async (key) => {
    mustBeActive(key);
    mustNotBeOwn(key, 'Only its mandate can be changed.');
    if ([input.scopes, input.expires_at, input.may_delegate].some((sent) => sent !== undefined)) mustNotBeChild(key);
    const problems = expiryProblems(input.expires_at, ctx.networkNow);
    if (problems.length > 0) throw unprocessable(problems);
    const before = { ...key, expiresAt: key.expires_at, mayDelegate: key.may_delegate };
    const { name, scopes, expiresAt, mayDelegate } = nextSettings(before, input);
    if (isExpired(key.expires_at, ctx.networkNow) && !isExpired(expiresAt, ctx.networkNow))
      await mustHaveRoom(deps, key.ws, ctx.networkNow);
    const settings = { name, scopes, expires_at: expiresAt, may_delegate: mayDelegate };
    const mandate = withoutApproval(key.mandate, key.mandate_version, scopes, ctx.now);
    const [changed] = await deps.keys.inForce([{ ...key, ...settings, mandate: mandate ?? key.mandate }]);
    return {
      answer: presentKey(changed ?? key, UNUSED),
      settings,
      ...(mandate === null ? {} : { mandate: { cause: 'set', mandate } }),
      audit: [
        {
          ws: key.ws,
          actor: actorOf(ctx),
          action: 'key.changed',
          object: key.key_id,
          payload: { name, scopes, expires_at: expiresAt?.toISOString() ?? null, may_delegate: mayDelegate },
        },
      ],
    };
  });
  if (outcome.ok && input.scopes?.includes('plans:approve') === false) await raiseGate(ctx, input.id, deps);

  return completed<Key>(outcome, (key) => used(ctx, key, deps));
};

const isExpired = (expiresAt: Date | null, now: Date): boolean => expiresAt !== null && expiresAt <= now;

const used = async (ctx: Ctx, key: Key, deps: ChangeKeyDeps & KeyUseDeps): Promise<Key> => {
  const row = await deps.keys.byKeyId(ctx.principal.workspace, key.id);
  const use = (await keyUse(ctx, row === null ? [] : [row], deps))(key.id);
  return {
    ...key,
    last_used_at: use.lastUsedAt?.toISOString() ?? null,
    mandate: key.mandate === null ? null : { ...key.mandate, spent_this_month_cents: use.spentCents },
  };
};
