import type { Client, Ctx } from '@cds/service';
import type { Usage } from '../../edge/port.js';
import type { KeyRow } from './store/keys.js';

export type KeyUseDeps = { billing: Client<'keys_spent'>; usage: Pick<Usage, 'lastUsed'> };

export type KeyUse = { spentCents: number; lastUsedAt: Date | null };

export const UNUSED: KeyUse = { spentCents: 0, lastUsedAt: null };

type Shown = Pick<KeyRow, 'key_id' | 'parent' | 'mandate' | 'revoked_at'>;

/** What each of these keys has spent and when it was last used. Only keys that are shown with a mandate spend. */
export const keyUse = async (
  ctx: Ctx,
  keys: readonly Shown[],
  { billing, usage }: KeyUseDeps,
): Promise<(keyId: string) => KeyUse> => {
  const spending = keys.filter((key) => key.mandate !== null && key.revoked_at === null);
  const ids = keys.map((key) => key.key_id);
  const [cents, last] = await Promise.all([
    spentBy(ctx, spending, billing),
    usage.lastUsed(ctx.principal.workspace, ids),
  ]);
  return (keyId) => ({ spentCents: cents.get(keyId) ?? 0, lastUsedAt: last.get(keyId) ?? null });
};

export const spentBy = async (
  ctx: Ctx,
  keys: readonly Pick<KeyRow, 'key_id' | 'parent'>[],
  billing: Client<'keys_spent'>,
): Promise<ReadonlyMap<string, number>> => {
  if (keys.length === 0) return new Map();
  const { spent } = await billing.keys_spent(ctx, {
    workspace: ctx.principal.workspace,
    keys: keys.map(({ key_id, parent }) => ({ key_id, parent_id: parent?.key_id ?? null })),
  });
  return new Map(spent.map((one) => [one.key_id, one.spent_this_month_cents]));
};
