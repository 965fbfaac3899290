import { AppError, notFound } from '@cds/contracts';
import { type Client, type Ctx, change, commitChange, type WriteShell } from '@cds/service';
import { type MandateInput, mandateProblems, nextMandate, type StoredMandate } from '../domain/mandate.js';
import type { KeyChanges } from '../store/key-changes.js';
import type { KeyRow, Keys } from '../store/keys.js';
import type { Mandates, MandateVersionRow } from '../store/mandates.js';
import { mandateAudit, mandateChange, mandateChanged, versionRow } from './mandate-changes.js';

export type MandateDeps = {
  shell: WriteShell;
  keys: Keys;
  keyChanges: KeyChanges;
  mandates: Mandates;
  billing: Client<'gate_raise'>;
};

/** Loads a key of a workspace. A foreign key and an absent one are both not_found. */
export const keyOf = async (keys: Keys, ws: string, keyId: string): Promise<KeyRow> => {
  const key = await keys.byKeyId(ws, keyId);
  if (key === null || key.revoked_at !== null) throw notFound('key');
  return key;
};

/** A key with the newest version of its mandate, which the key itself gets only after the commit. */
export const mandatedKey = async (
  { keys, mandates }: Pick<MandateDeps, 'keys' | 'mandates'>,
  ws: string,
  keyId: string,
): Promise<KeyRow> => {
  const [key, newest] = await Promise.all([keyOf(keys, ws, keyId), mandates.newest(ws, keyId)]);
  return newest === null ? key : { ...key, mandate: newest.mandate, mandate_version: newest.version };
};

/**
 * Sets the mandate of a key for a person. The new version commits with its event, the key is changed and billing raises
 * its gate before the answer, so that no later approval uses an older version (docs/reliability.md#authority). Amounts
 * are integer US cents. Raises not_found, unprocessable, unavailable while billing is. Source:
 * docs/domain/orders.md#mandate.
 */
export const mandateSet = (
  ctx: Ctx,
  input: { ws: string; keyId: string; mandate: MandateInput; actor: string },
  deps: MandateDeps,
): Promise<StoredMandate> =>
  changeMandate(ctx, input, deps, (key) => {
    const problems = mandateProblems(key, input.mandate, ctx.now);
    if (problems.length > 0)
      throw new AppError(
        'unprocessable',
        'This mandate cannot be set. Correct what details.problems names, then send it again.',
        { problems },
      );
    const mandate = nextMandate(key, input.mandate, ctx.now);
    return { cause: 'set', mandate, answer: mandate };
  });

/** Removes the mandate of a key. That is a version without limits, so that the numbering continues. */
export const mandateRemove = (
  ctx: Ctx,
  input: { ws: string; keyId: string; actor: string },
  deps: MandateDeps,
): Promise<null> => changeMandate(ctx, input, deps, () => ({ cause: 'removed', mandate: null, answer: null }));

/** Makes one version of a mandate. When another version was faster, it is decided again. */
export const changeMandate = async <Answer>(
  ctx: Ctx,
  input: { ws: string; keyId: string; actor: string },
  deps: MandateDeps,
  decide: (key: KeyRow) => { cause: MandateVersionRow['cause']; mandate: StoredMandate | null; answer: Answer },
): Promise<Answer> => {
  const { shell, keyChanges, mandates, billing } = deps;
  let decided: { version: number; answer: Answer } | undefined;
  let committed: Awaited<ReturnType<KeyChanges['add']>> = [];
  await commitChange(
    shell,
    ctx,
    'mandate_set',
    200,
    async () => {
      const key = await mandatedKey(deps, input.ws, input.keyId);
      const { cause, mandate, answer } = decide(key);
      const version = key.mandate_version + 1;
      const row = versionRow(key, version, { cause, mandate, actor: input.actor, at: ctx.networkNow });
      decided = { version, answer };
      return change(null, {
        save: async (tx) => {
          await mandates.add(tx, [row]);
          committed = await keyChanges.add(tx, [mandateChange(key, version, mandate)], ctx.networkNow);
        },
        events: [mandateChanged(key, version)],
        audit: [mandateAudit(row)],
      });
    },
    false,
  );
  if (decided === undefined) throw new Error('a mandate was changed without a decision');

  await keyChanges.apply(committed);
  await billing.gate_raise(ctx, { key_id: input.keyId, workspace: input.ws, version: decided.version });
  return decided.answer;
};
