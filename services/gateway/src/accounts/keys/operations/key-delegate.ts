import { AppError, type Key, notFound, unprocessable } from '@cds/contracts';
import { actorOf, change, RecordedOutcome, runWrite, type WriteHandler } from '@cds/service';
import { checkQuota } from '../../../edge/port.js';
import type { OAuthRows } from '../../oauth/store/oauth-rows.js';
import { CHILD_KEY_QUOTA } from '../../people/quotas.js';
import { type ChangeKeyDeps, currentKey } from '../change-key.js';
import { childMandate, childProblems, mandateUnder } from '../domain/child-key.js';
import type { Peppers } from '../key-format.js';
import { keyRow } from '../key-rows.js';
import { UNUSED } from '../key-use.js';
import { mandateAudit, versionRow } from '../mandate-changes.js';
import { mustHaveRoom, withSecret } from '../new-key.js';
import { presentKey } from '../present-key.js';
import type { KeyRow, Keys } from '../store/keys.js';
import type { ShownSecrets } from '../store/shown-secrets.js';

type Deps = Omit<ChangeKeyDeps, 'billing'> & {
  oauthRows: Pick<OAuthRows, 'stands'>;
  shownSecrets: ShownSecrets;
  peppers: Peppers;
};

/**
 * Makes a child of the calling key, narrower than it in scopes, mandate and time, and answers the child's text, which
 * is shown once. Billing is not asked: a child signs in its parent's authority. Raises forbidden (may_not_delegate),
 * conflict (too_many_keys; secret_gone on a replay after ten minutes), rate_limited (child_key_limit), unprocessable by
 * field, value and bound, and unauthorized when the calling key or client ends meanwhile. Source:
 * docs/domain/access.md#child-keys.
 */
export const keyDelegate: WriteHandler<'key_delegate', Deps> = async (ctx, input, deps) => {
  const { shell, keys, keyChanges, workspaces, mandates, oauthRows, shownSecrets, peppers } = deps;
  const { workspace: ws, grant = null } = ctx.principal;
  const command = ctx.command?.id ?? ctx.attemptId;
  const outcome = await runWrite(shell, ctx, 'key_delegate', 201, async () => {
    const workspace = await workspaces.byId(ws);
    if (workspace === null) throw notFound('workspace');
    // Read after the workspace, whose keys the end of a client locks: it finds the child, or is found here.
    if (grant !== null && !(await oauthRows.stands(grant, 'write'))) throw endedMeanwhile();
    const parent = await currentKey(deps, ws, ctx.principal.key);
    mustDelegate(parent);
    const problems = childProblems(parent, input, ctx);
    if (problems.length > 0) throw unprocessable(problems);
    await mustBeFewOfDay(keys, parent, ctx.networkNow);
    await mustHaveRoom(deps, ws, ctx.networkNow);

    const { row, text } = keyRow(
      peppers,
      workspace,
      { ...wantedOf(parent, input), madeByGrant: grant },
      ctx.networkNow,
    );
    const mandate = input.mandate === undefined ? null : childMandate(input.mandate, ctx.now);
    const child: KeyRow = mandate === null ? row : { ...row, mandate, mandate_version: mandate.version };
    const [actor, at] = [actorOf(ctx), ctx.networkNow];
    const versions = mandate === null ? [] : [versionRow(child, mandate.version, { cause: 'set', mandate, actor, at })];
    const { key_id } = child;
    const { name, scopes, expires_at } = input;
    return change(
      { key: presentKey({ ...child, mandate: mandateUnder(mandate, parent.mandate) }, UNUSED), secret: '' },
      {
        save: async (tx) => {
          await workspaces.lockKeys(tx, workspace);
          await keys.insert(tx, [child]);
          await mandates.add(tx, versions);
          await keyChanges.add(tx, [{ kind: 'child', ws, key_id, parent: parent.key_id, at }], at);
          await shownSecrets.add(tx, command, text, at);
        },
        audit: [
          { ws, actor, action: 'key.delegated', object: key_id, payload: { name, scopes, expires_at, grant } },
          ...versions.map(mandateAudit),
        ],
      },
    );
  });
  if (!outcome.ok) return new RecordedOutcome(outcome);

  // The parent is read again, now that its revocation finds the child: whichever comes second ends the child.
  const { key } = JSON.parse(outcome.json.toString()) as { key: Key };
  await keyChanges.applyOf(ws, key.id);
  const parent = await keys.byKeyId(ws, ctx.principal.key);
  if (parent === null || parent.revoked_at !== null) throw endedMeanwhile();
  return withSecret(outcome, shownSecrets, command, ctx.networkNow);
};

const wantedOf = (parent: KeyRow, input: { name: string; scopes: KeyRow['scopes']; expires_at: string }) => ({
  name: input.name,
  scopes: input.scopes,
  expiresAt: new Date(input.expires_at),
  createdBy: `key:${parent.key_id}`,
  own: false,
  parent: { key_id: parent.key_id, public_id: parent._id },
});

/** Refuses a key that no person lets make keys, and every child. */
const mustDelegate = (key: Pick<KeyRow, 'parent' | 'may_delegate'>): void => {
  if (key.parent === null && key.may_delegate) return;
  throw new AppError(
    'forbidden',
    key.parent === null
      ? 'This key may not make child keys. Ask a person of the brand to set may_delegate on it in Developers.'
      : 'This is a child key, and child keys cannot make keys. Ask whoever gave it to you for another key.',
    { reason: 'may_not_delegate' },
  );
};

const mustBeFewOfDay = async (keys: Pick<Keys, 'madeTimes'>, parent: KeyRow, now: Date): Promise<void> => {
  const { limit, spanMs } = CHILD_KEY_QUOTA;
  const first = (await keys.madeTimes(parent.key_id, limit))[limit - 1];
  if (first === undefined) return;
  const resetsAt = new Date(first.getTime() + spanMs);
  checkQuota({ refused: resetsAt > now, resetsAt, seenAt: now }, CHILD_KEY_QUOTA);
};

const endedMeanwhile = (): AppError =>
  new AppError('unauthorized', 'This key or client ended while it made a child key, which ends with it.');
