import { z } from 'zod';
import { publicText, Timestamp, Uuid } from '../fields.js';
import { closed, oneOf, uuidInput } from '../input.js';
import { defineOperations } from '../operation.js';
import { everyRoleReads, leadWrites, pageOf, paging, reason } from '../operator-fields.js';
import { SCOPES } from '../scope.js';

const KEY_STATES = ['active', 'expired', 'revoked'] as const;
export type KeyState = (typeof KEY_STATES)[number];

/** A key as operators see it: without its secret, with the brand's limits (docs/domain/operators.md#operators). */
export const OpsKey = z
  .object({
    id: Uuid,
    public_id: publicText().nullable(),
    workspace: Uuid,
    workspace_name: publicText(),
    sandbox: z.boolean(),
    own: z.boolean(),
    name: publicText(),
    scopes: z.array(z.enum(SCOPES)),
    state: z.enum(KEY_STATES),
    suspended: z.boolean(),
    created_at: Timestamp,
    created_by: publicText(),
    expires_at: Timestamp.nullable(),
    revoked_at: Timestamp.nullable(),
    mandate: z
      .object({
        version: z.int(),
        max_plan_cents: z.int(),
        monthly_cap_cents: z.int(),
        channels: z.array(publicText()),
        may_approve: z.boolean(),
        expires_at: Timestamp,
        terms_version: publicText().nullable(),
      })
      .nullable(),
  })
  .meta({ id: 'OpsKey' });
export type OpsKey = z.infer<typeof OpsKey>;

export const opsKeyOperations = defineOperations('gateway', {
  ops_keys_list: {
    ...everyRoleReads,
    rest: { method: 'GET', path: '/api/ops/keys', root: 'app' },
    summary: "Lists brands' keys without secrets, oldest first.",
    query: closed({
      workspace: uuidInput().optional(),
      brand: uuidInput().optional().describe('The keys of all workspaces of a brand.'),
      state: oneOf(KEY_STATES).optional().describe('Default: all.'),
      ...paging(),
    }),
    output: pageOf(OpsKey),
  },
  ops_key_revoke: {
    ...leadWrites,
    rest: { method: 'POST', path: '/api/ops/keys/{id}/revoke', root: 'app' },
    // The key itself is changed after the commit, also when a crash left that to a replay.
    ownRecord: true,
    summary: 'Revokes a key of a brand immediately and permanently.',
    params: closed({ id: uuidInput() }),
    body: closed({ reason: reason() }),
    output: OpsKey,
    conflicts: ['bad_state'],
  },
});
