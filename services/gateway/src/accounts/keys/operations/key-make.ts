import { notFound, unprocessable } from '@cds/contracts';
import { actorOf, change, RecordedOutcome, runWrite, type WriteHandler, type WriteShell } from '@cds/service';
import type { Workspaces } from '../../brands/store/workspaces.js';
import { expiryProblems, instantOf } from '../domain/key-settings.js';
import type { Peppers } from '../key-format.js';
import { keyRow } from '../key-rows.js';
import { UNUSED } from '../key-use.js';
import { mustHaveRoom, withSecret } from '../new-key.js';
import { presentKey } from '../present-key.js';
import type { KeyChanges } from '../store/key-changes.js';
import type { Keys } from '../store/keys.js';
import type { ShownSecrets } from '../store/shown-secrets.js';

export type KeyMakeDeps = {
  shell: WriteShell;
  keys: Keys;
  keyChanges: KeyChanges;
  workspaces: Workspaces;
  shownSecrets: ShownSecrets;
  peppers: Peppers;
};

/**
 * Makes a key and answers its text, which is shown once: the record of the answer holds no secret, which is stored
 * apart, encrypted, for ten minutes. Raises conflict (too_many_keys at 50 active; secret_gone on a replay after ten
 * minutes), unprocessable. Source: docs/domain/access.md#developers-area, docs/domain/access.md#keys.
 */
export const keyMake: WriteHandler<'key_make', KeyMakeDeps> = async (ctx, input, deps) => {
  const { shell, keys, workspaces, shownSecrets, peppers } = deps;
  const ws = ctx.principal.workspace;
  const command = ctx.command?.id ?? ctx.attemptId;
  const outcome = await runWrite(shell, ctx, 'key_make', 201, async () => {
    const workspace = await workspaces.byId(ws);
    if (workspace === null) throw notFound('workspace');
    const problems = expiryProblems(input.expires_at, ctx.networkNow);
    if (problems.length > 0) throw unprocessable(problems);
    await mustHaveRoom(deps, ws, ctx.networkNow);

    const { name, scopes } = input;
    const wanted = {
      name,
      scopes,
      expiresAt: instantOf(input.expires_at),
      createdBy: actorOf(ctx),
      own: false,
      mayDelegate: input.may_delegate ?? false,
    };
    const { row, text } = keyRow(peppers, workspace, wanted, ctx.networkNow);
    return change(
      { key: presentKey(row, UNUSED), secret: '' },
      {
        save: async (tx) => {
          await workspaces.lockKeys(tx, workspace);
          await keys.insert(tx, [row]);
          await shownSecrets.add(tx, command, text, ctx.networkNow);
        },
        audit: [
          {
            ws,
            actor: actorOf(ctx),
            action: 'key.made',
            object: row.key_id,
            payload: { name, scopes, may_delegate: row.may_delegate },
          },
        ],
      },
    );
  });
  if (!outcome.ok) return new RecordedOutcome(outcome);

  return withSecret(outcome, shownSecrets, command, ctx.networkNow);
};
