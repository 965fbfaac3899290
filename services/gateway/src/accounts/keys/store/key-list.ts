import type { KeyState, OpsKey } from '@cds/contracts';
import { after, inOrder, type Place } from '@cds/service';
import type { KeyRow, Keys, ListedKey } from './keys.js';

const stateOf = ({ revoked_at, expires_at }: ListedKey, now: Date): KeyState => {
  if (revoked_at !== null) return 'revoked';
  return expires_at !== null && expires_at <= now ? 'expired' : 'active';
};

const inState = (state: KeyState | null, now: Date): object[] => {
  switch (state) {
    case null:
      return [];
    case 'revoked':
      return [{ revoked_at: { $ne: null } }];
    case 'expired':
      return [{ revoked_at: null, expires_at: { $lte: now } }];
    case 'active':
      return [{ revoked_at: null }, { $or: [{ expires_at: null }, { expires_at: { $gt: now } }] }];
  }
};

export const keysPage = (
  { rows }: Pick<Keys, 'rows'>,
  of: { workspaces: readonly string[] | null; state: KeyState | null; now: Date },
  place: Place | null,
  limit: number,
): Promise<ListedKey[]> => {
  const among = of.workspaces === null ? {} : { ws: { $in: [...of.workspaces] } };
  const filter = { ...among, $and: [after('created_at', place), ...inState(of.state, of.now)] };
  return rows.find(filter, { sort: inOrder('created_at'), limit, projection: { secret_hmac: 0 } }).toArray();
};

export const keyOfAnyone = ({ rows }: Pick<Keys, 'rows'>, keyId: string): Promise<KeyRow | null> =>
  rows.findOne({ key_id: keyId.toLowerCase() });

/** Presents a key to operators. The own agent key shows no public id. */
export const presentOpsKey = (key: ListedKey, now: Date): OpsKey => ({
  id: key.key_id,
  public_id: key.own ? null : key._id,
  workspace: key.ws,
  workspace_name: key.ws_name,
  sandbox: key.sandbox,
  own: key.own,
  name: key.name,
  scopes: key.scopes,
  state: stateOf(key, now),
  suspended: key.suspended,
  created_at: key.created_at.toISOString(),
  created_by: key.created_by,
  expires_at: key.expires_at?.toISOString() ?? null,
  revoked_at: key.revoked_at?.toISOString() ?? null,
  mandate:
    key.mandate === null
      ? null
      : {
          version: key.mandate.version,
          max_plan_cents: key.mandate.max_plan_cents,
          monthly_cap_cents: key.mandate.monthly_cap_cents,
          channels: key.mandate.channels,
          may_approve: key.mandate.may_approve,
          expires_at: key.mandate.expires_at.toISOString(),
          terms_version: key.mandate.terms_version,
        },
});
