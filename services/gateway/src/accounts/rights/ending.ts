import { type Audited, LostRace, type Tx } from '@cds/service';
import type { WorkspaceRow, Workspaces } from '../brands/store/workspaces.js';
import type { KeyChanges } from '../keys/store/key-changes.js';
import type { KeyChange, Keys, ListedKey } from '../keys/store/keys.js';
import type { OAuthGrantRow, OAuthRows } from '../oauth/store/oauth-rows.js';
import { grantEnd } from './domain/rights.js';
import type { RightEnds } from './store/right-ends.js';

export type EndingDeps = {
  workspaces: Workspaces;
  keys: Keys;
  keyChanges: KeyChanges;
  oauthRows: OAuthRows;
  rightEnds: RightEnds;
};

export type Ends = { grants: readonly OAuthGrantRow[]; keys?: readonly ListedKey[] };

export type EndedBy = { actor: string; at: Date; because?: string };

/** What an end changes, to be saved in one transaction; `keys` are all that it revokes. */
export type Ending = {
  grants: readonly OAuthGrantRow[];
  keys: readonly ListedKey[];
  save: (tx: Tx) => Promise<void>;
  audit: Audited[];
};

/**
 * Ends clients and the child keys that they made. The transaction locks each workspace's keys, so that no child is made
 * meanwhile; the keys change after the commit, by `applied`.
 */
export const ending = async (deps: EndingDeps, ends: Ends, { actor, at, because }: EndedBy): Promise<Ending> => {
  const ids = new Set([...ends.grants, ...(ends.keys ?? [])].map(({ ws }) => ws));
  const workspaces = (await Promise.all([...ids].map((ws) => deps.workspaces.byId(ws)))).filter((row) => row !== null);
  const children = (await Promise.all(ends.grants.map((grant) => deps.keys.madeThrough(grant)))).flat();
  const keys = [...new Map([...(ends.keys ?? []), ...children].map((key) => [key.key_id, key])).values()];
  return {
    grants: ends.grants,
    keys,
    save: (tx) => saved(tx, deps, { workspaces, grants: ends.grants, keys, at }),
    audit: [
      ...ends.grants.map(({ _id, ws, key_id, client_name }) => ({
        ws,
        actor,
        action: 'client.ended',
        object: key_id,
        payload: { grant: _id, client: client_name, ...(because === undefined ? {} : { because }) },
      })),
      ...keys.map(({ ws, key_id, name, made_by_grant: grant = null }) => ({
        ws,
        actor,
        action: 'key.revoked',
        object: key_id,
        payload: { name, ...(grant === null ? {} : { grant }) },
      })),
    ],
  };
};

type Saved = { workspaces: readonly WorkspaceRow[]; grants: readonly OAuthGrantRow[]; keys: readonly ListedKey[] };

const saved = async (
  tx: Tx,
  { workspaces: stored, oauthRows, keyChanges, rightEnds }: EndingDeps,
  { workspaces, grants, keys, at }: Saved & { at: Date },
): Promise<void> => {
  for (const workspace of workspaces) await stored.lockKeys(tx, workspace);
  for (const grant of grants) {
    const tokens = await oauthRows.endGrant(tx, grant._id);
    if (tokens === null) throw new LostRace('grant');
    await rightEnds.add(tx, [{ ...grantEnd(grant), tokens }], at);
  }
  const revoked = Map.groupBy(keys, ({ ws }) => ws);
  const changes = [...revoked].map(([ws, own]): KeyChange => {
    return { kind: 'revoked', ws, key_ids: own.map(({ key_id }) => key_id), at };
  });
  await keyChanges.add(tx, changes, at);
};

/** Applies an ending after the commit, a replay too; then nothing more is signed on it. Raises unavailable. */
export const applied = async (
  { keyChanges, rightEnds }: Pick<EndingDeps, 'keyChanges' | 'rightEnds'>,
  workspaces: readonly string[],
): Promise<void> => {
  for (const ws of new Set(workspaces)) await keyChanges.apply(await keyChanges.pending(ws, []));
  await rightEnds.settleIn(workspaces);
};
