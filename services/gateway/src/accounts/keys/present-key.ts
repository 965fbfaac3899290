import type { Key, Mandate } from '@cds/contracts';
import type { StoredMandate } from './domain/mandate.js';
import type { KeyUse } from './key-use.js';
import type { KeyRow } from './store/keys.js';

export const presentMandate = (keyId: string, mandate: StoredMandate, spentCents: number): Mandate => ({
  key_id: keyId,
  version: mandate.version,
  max_plan_cents: mandate.max_plan_cents,
  monthly_cap_cents: mandate.monthly_cap_cents,
  channels: mandate.channels,
  may_approve: mandate.may_approve,
  may_exceed_budget: false,
  expires_at: mandate.expires_at.toISOString(),
  updated_at: mandate.updated_at.toISOString(),
  spent_this_month_cents: spentCents,
  terms_version: mandate.terms_version,
  terms_accepted_at: mandate.terms_accepted_at?.toISOString() ?? null,
  terms_accepted_email: mandate.terms_accepted_email,
});

/** Never shows the secret, nor the own agent key's public id, nor the mandate of a revoked key: none is in force. */
export const presentKey = (key: Omit<KeyRow, 'secret_hmac' | 'recent'>, used: KeyUse): Key => ({
  id: key.key_id,
  public_id: key.own ? null : key._id,
  name: key.name,
  scopes: key.scopes,
  created_at: key.created_at.toISOString(),
  created_by: key.created_by,
  expires_at: key.expires_at?.toISOString() ?? null,
  last_used_at: used.lastUsedAt?.toISOString() ?? null,
  revoked_at: key.revoked_at?.toISOString() ?? null,
  parent_id: key.parent?.key_id ?? null,
  may_delegate: key.may_delegate,
  mandate:
    key.mandate === null || key.revoked_at !== null ? null : presentMandate(key.key_id, key.mandate, used.spentCents),
});
