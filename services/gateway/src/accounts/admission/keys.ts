import type { PrincipalMandate } from '@cds/contracts';
import {
  bearerOf,
  type Caller,
  type Exchange,
  rateOf,
  TOOLS_PATH,
  tighterOf,
  type Unauthorized,
  unknownCredential,
} from '../../edge/port.js';
import { underParent } from '../keys/domain/child-key.js';
import type { StoredMandate } from '../keys/domain/mandate.js';
import { readKey } from '../keys/key-format.js';
import { type Admitted, type AdmittedKey, KEY_LIMIT, type KeyAdmission } from '../keys/store/key-admission.js';
import type { OAuthRows } from '../oauth/store/oauth-rows.js';
import { rightOf } from '../rights/domain/rights.js';

export type KeyCallers = {
  keys: Pick<KeyAdmission, 'admit' | 'admitGranted'>;
  oauthRows: Pick<OAuthRows, 'stands' | 'keyOf'>;
};

export const mandateOf = (mandate: StoredMandate): PrincipalMandate => ({
  version: mandate.version,
  max_plan_cents: mandate.max_plan_cents,
  monthly_cap_cents: mandate.monthly_cap_cents,
  channels: mandate.channels,
  may_approve: mandate.may_approve,
  expires_at: mandate.expires_at.toISOString(),
  updated_at: mandate.updated_at.toISOString(),
  terms_version: mandate.terms_version,
  terms_accepted_at: mandate.terms_accepted_at?.toISOString() ?? null,
  terms_accepted_email: mandate.terms_accepted_email,
});

const ofKey = (key: AdmittedKey): Caller => ({
  principal: {
    audience: 'brand',
    workspace: key.ws,
    workspace_name: key.ws_name,
    reads_workspace: key.reads_ws,
    sandbox: key.sandbox,
    key: key.key_id,
    scopes: key.scopes,
    mandate: key.mandate === null ? null : mandateOf(key.mandate),
    mandate_version: key.mandate_version,
    rights: { [rightOf.key(key.key_id)]: key.settings_version, [rightOf.workspace(key.ws)]: key.suspension_version },
    ...earlier(key),
  },
  commandOwner: key.key_id,
  suspended: key.suspended,
  faultsArmed: key.sandbox_state?.faults ?? false,
  resetting: key.sandbox_state?.resetting ?? false,
  networkNow: key.seen_at,
  now: new Date(key.seen_at.getTime() + key.offset_ms),
});

/** A child acts as itself, within what its parent may do now; billing counts its approvals on both. */
const ofChild = (child: AdmittedKey, parent: AdmittedKey): Caller => {
  const caller = ofKey({ ...child, ...underParent(child, parent) });
  const shared = {
    key: parent.key_id,
    monthly_cap_cents: parent.mandate?.monthly_cap_cents ?? 0,
    mandate_version: parent.mandate_version,
  };
  const rights = { ...caller.principal.rights, [rightOf.key(parent.key_id)]: parent.settings_version };
  return { ...caller, principal: { ...caller.principal, parent: shared, rights, ...earlier(child, parent) } };
};

const earlier = (...keys: readonly Pick<AdmittedKey, 'expires_at'>[]): { until?: string } => {
  const ends = keys.flatMap(({ expires_at: at }) => (at === null ? [] : [at.getTime()]));
  return ends.length === 0 ? {} : { until: new Date(Math.min(...ends)).toISOString() };
};

const identified = (exchange: Exchange, key: AdmittedKey): void => {
  exchange.keyId = key.key_id;
  const transport = exchange.path === TOOLS_PATH ? 'mcp' : 'rest';
  exchange.account = { workspace: key.ws, keyId: key.key_id, transport, at: key.seen_at };
};

/** Step 4 with a key, which counts the request for step 5. */
export const admitKey = async (
  deps: KeyCallers,
  exchange: Exchange,
  effect: 'read' | 'write',
  refusal: Unauthorized,
): Promise<Caller> => {
  const token = bearerOf(exchange);
  const credential = token === null ? null : readKey(token);
  if (credential === null) throw refusal(exchange);
  const found = await deps.keys.admit(credential, effect);
  if (found === null) throw await unknownCredential(exchange, refusal);
  return callerOf(deps, exchange, found, effect, refusal);
};

/** Step 4 with an admitted key. A child ends with the client that made it. */
export const callerOf = async (
  { oauthRows }: KeyCallers,
  exchange: Exchange,
  { key, parent }: Admitted,
  effect: 'read' | 'write',
  refusal: Unauthorized,
): Promise<Caller> => {
  const rate = rateOf(key, KEY_LIMIT, 'key');
  if (parent === null) {
    exchange.rate = rate;
    identified(exchange, key);
    return ofKey(key);
  }
  const stands = typeof key.made_by_grant !== 'string' || (await oauthRows.stands(key.made_by_grant, effect));
  if (!stands) throw await unknownCredential(exchange, refusal);

  exchange.rate = tighterOf(rate, rateOf(parent, KEY_LIMIT, 'parent'));
  identified(exchange, key);
  return ofChild(key, parent);
};
