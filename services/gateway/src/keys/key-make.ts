import { conflict, notFound, type Scope } from '@cds/contracts';
import { type Ctx, change, commitChange, type WriteShell } from '@cds/service';
import { MAX_ACTIVE_KEYS } from '../domain/constants.js';
import type { KeyRow, Keys } from '../store/keys.js';
import type { Workspaces } from '../store/workspaces.js';
import type { Peppers } from './key-format.js';
import { keyRow } from './key-rows.js';

export type KeyMakeDeps = { shell: WriteShell; keys: Keys; workspaces: Workspaces; peppers: Peppers };

/** A new key as a person asks for it; `actor` is that person. */
export type KeyMakeInput = {
  ws: string;
  name: string;
  scopes: readonly Scope[];
  expiresAt: Date | null;
  actor: string;
};

/**
 * Makes a key of a workspace and returns its text, which is shown once and stored nowhere. Raises not_found, conflict
 * (too_many_keys at 50 active). Source: docs/domain/access.md#developers-area, docs/domain/access.md#keys.
 */
export const keyMake = async (
  ctx: Ctx,
  input: KeyMakeInput,
  deps: KeyMakeDeps,
): Promise<{ key: KeyRow; text: string }> => {
  const { shell, keys, workspaces, peppers } = deps;
  const workspace = await workspaces.byId(input.ws);
  if (workspace === null) throw notFound('workspace');
  if ((await keys.countActive(input.ws)) >= MAX_ACTIVE_KEYS)
    throw conflict(
      'too_many_keys',
      `This workspace already has ${MAX_ACTIVE_KEYS} active keys, the most it can have. Revoke one that is no longer used.`,
    );

  const wanted = {
    name: input.name,
    scopes: input.scopes,
    expiresAt: input.expiresAt,
    createdBy: input.actor,
    own: false,
  };
  const { row, text } = keyRow(peppers, workspace, wanted, ctx.networkNow);

  const save = change(null, {
    save: (tx) => keys.insert(tx, [row]),
    audit: [
      {
        ws: input.ws,
        actor: input.actor,
        action: 'key.made',
        object: row.key_id,
        payload: { name: row.name, scopes: row.scopes },
      },
    ],
  });
  await commitChange(shell, ctx, 'key_make', 201, async () => save, false);

  return { key: row, text };
};
