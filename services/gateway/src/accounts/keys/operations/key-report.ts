import { type Ctx, change, RecordedOutcome, runWrite, type Tx, type WriteHandler, type WriteShell } from '@cds/service';
import type { Workspaces } from '../../brands/store/workspaces.js';
import { rightOf } from '../../rights/domain/rights.js';
import type { RightEnds } from '../../rights/store/right-ends.js';
import { type Peppers, readKey } from '../key-format.js';
import type { KeyChanges } from '../store/key-changes.js';
import type { KeyRow, Keys } from '../store/keys.js';

type Deps = {
  shell: WriteShell;
  keys: Keys;
  keyChanges: KeyChanges;
  rightEnds: RightEnds;
  workspaces: Workspaces;
  peppers: Peppers;
};

const RECEIVED = { status: 'received' } as const;

/**
 * Takes a report of a key that was found in public. A real key is revoked before the answer, which is the same for any
 * text; a report that comes again waits, as the first one does, until nothing more is signed (I74). Source:
 * docs/domain/access.md#developers-area.
 */
export const keyReport: WriteHandler<'key_report', Deps> = async (ctx, input, deps) => {
  const { shell, keys, keyChanges, rightEnds, workspaces, peppers } = deps;
  const credential = readKey(input.key.trim());
  const key = credential === null ? null : await keys.bySecret(credential, peppers);

  const outcome = await runWrite(shell, ctx, 'key_report', 202, async () => {
    const isLive = key !== null && key.revoked_at === null;
    const workspace = isLive ? await workspaces.byId(key.ws) : null;
    if (!isLive || workspace === null) return change(RECEIVED, { save: async () => undefined });
    return change(
      RECEIVED,
      revocation(ctx, key, (tx) => workspaces.lockKeys(tx, workspace), keyChanges),
    );
  });
  if (key !== null) {
    await keyChanges.applyOf(key.ws, key.key_id);
    await rightEnds.settle([rightOf.key(key.key_id)]);
  }
  return new RecordedOutcome(outcome);
};

const revocation = (ctx: Ctx, key: KeyRow, lock: (tx: Tx) => Promise<void>, keyChanges: KeyChanges) => ({
  save: async (tx: Tx) => {
    const { ws, key_id } = key;
    await lock(tx);
    await keyChanges.add(tx, [{ kind: 'revoked', ws, key_ids: [key_id], at: ctx.networkNow }], ctx.networkNow);
  },
  audit: [{ ws: key.ws, actor: 'system', action: 'key.reported', object: key.key_id, payload: { name: key.name } }],
});
