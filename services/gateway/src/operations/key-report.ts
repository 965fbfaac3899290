import { type Ctx, change, RecordedOutcome, runWrite, type WriteHandler, type WriteShell } from '@cds/service';
import { type Peppers, readKey } from '../keys/key-format.js';
import type { KeyChanges } from '../store/key-changes.js';
import type { KeyRow, Keys } from '../store/keys.js';

type Deps = { shell: WriteShell; keys: Keys; keyChanges: KeyChanges; peppers: Peppers };

const RECEIVED = { status: 'received' } as const;

/**
 * Takes a report of a key that was found in public. A real key is revoked before the answer, which is the same for any
 * text. Source: docs/domain/access.md#developers-area.
 */
export const keyReport: WriteHandler<'key_report', Deps> = async (ctx, input, deps) => {
  const { shell, keys, keyChanges, peppers } = deps;
  const credential = readKey(input.key.trim());
  const key = credential === null ? null : await keys.bySecret(credential, peppers);

  const outcome = await runWrite(shell, ctx, 'key_report', 202, async () =>
    change(RECEIVED, key === null ? { save: async () => undefined } : revocation(ctx, key, keyChanges)),
  );
  if (key !== null) await keyChanges.applyOf(key.ws, key.key_id);
  return new RecordedOutcome(outcome);
};

const revocation = (ctx: Ctx, key: KeyRow, keyChanges: KeyChanges) => ({
  save: async (tx: Parameters<KeyChanges['add']>[0]) => {
    const { ws, key_id } = key;
    await keyChanges.add(tx, [{ kind: 'revoked', ws, key_ids: [key_id], at: ctx.networkNow }], ctx.networkNow);
  },
  audit: [{ ws: key.ws, actor: 'system', action: 'key.reported', object: key.key_id, payload: { name: key.name } }],
});
