import { z } from 'zod';
import { Mandate } from '../billing/mandates.js';
import { publicText, Timestamp, Uuid } from '../fields.js';
import { booleanInput, closed, instantInput, lineInput, saying, stringInput, uuidInput } from '../input.js';
import { defineOperations } from '../operation.js';
import { ofPeople } from '../operation-kinds.js';
import { brandPath } from '../planning/inputs.js';
import { SCOPES } from '../scope.js';

/** A key without its secret (docs/domain/access.md#developers-area). The workspace's own agent key has no public id. */
export const Key = z
  .object({
    id: Uuid,
    public_id: publicText().nullable(),
    name: publicText(),
    scopes: z.array(z.enum(SCOPES)),
    created_at: Timestamp,
    created_by: publicText(),
    expires_at: Timestamp.nullable(),
    last_used_at: Timestamp.nullable(),
    revoked_at: Timestamp.nullable(),
    parent_id: Uuid.nullable().meta({ description: 'Of a child key: the key that made it.' }),
    may_delegate: z.boolean().meta({ description: 'Whether the key may make child keys.' }),
    mandate: Mandate.nullable(),
  })
  .meta({ id: 'Key' });
export type Key = z.infer<typeof Key>;

const scopesError = saying(`must be 1 or more of ${SCOPES.join(', ')}, without duplicates`);

export const scopesInput = () =>
  z
    .array(z.enum(SCOPES, { error: scopesError }), { error: scopesError })
    .min(1, { error: scopesError })
    .refine((scopes) => new Set(scopes).size === scopes.length, { error: scopesError });

export const keyNameInput = () => lineInput({ max: 60 });

const keyExpiryInput = () => instantInput().nullable();

/** What every operation on a workspace's keys has in common (docs/domain/access.md#developers-area). */
export const keyOperation = { ...ofPeople, atLeast: 'admin' } as const;

export const keyParams = closed({ id: uuidInput().describe('The id of the key, a UUID.') });

export const keyOperations = defineOperations('gateway', {
  keys_list: {
    ...keyOperation,
    rest: { method: 'GET', path: brandPath('/keys'), root: 'app' },
    effect: 'read',
    summary: 'Lists the keys of the workspace without their secrets, revoked ones last.',
    output: z.object({ keys: z.array(Key) }),
  },
  key_make: {
    ...keyOperation,
    rest: { method: 'POST', path: brandPath('/keys'), root: 'app' },
    effect: 'write',
    idempotency: 'required',
    // Its record holds no secret: that is stored apart, encrypted, for ten minutes.
    ownRecord: true,
    summary: 'Creates a key. Its secret is shown once.',
    body: closed({
      name: keyNameInput(),
      scopes: scopesInput(),
      expires_at: keyExpiryInput().optional(),
      may_delegate: booleanInput().optional().describe('Whether the key may make child keys. Default: false.'),
    }),
    output: z.object({ key: Key, secret: publicText() }),
    success: 201,
    conflicts: ['too_many_keys', 'secret_gone'],
  },
  key_change: {
    ...keyOperation,
    rest: { method: 'PATCH', path: brandPath('/keys/{id}'), root: 'app' },
    effect: 'write',
    idempotency: 'required',
    // Keys change after the commit and before the answer, also when a crash left that to a replay.
    ownRecord: true,
    summary:
      'Changes the name, scopes, expiry or may_delegate of a key. Removing plans:approve also sets may_approve to false.',
    params: keyParams,
    body: closed({
      name: keyNameInput().optional(),
      scopes: scopesInput().optional(),
      expires_at: keyExpiryInput().optional(),
      may_delegate: booleanInput().optional(),
    }),
    output: Key,
    conflicts: ['bad_state', 'too_many_keys'],
  },
  key_revoke: {
    ...keyOperation,
    rest: { method: 'POST', path: brandPath('/keys/{id}/revoke'), root: 'app' },
    effect: 'write',
    idempotency: 'required',
    ownRecord: true,
    summary: 'Revokes a key immediately and permanently.',
    params: keyParams,
    output: Key,
    conflicts: ['bad_state'],
  },
  key_report: {
    audience: 'public',
    rest: { method: 'POST', path: '/api/keys/report', root: 'app' },
    scope: null,
    effect: 'write',
    idempotency: 'optional',
    ownRecord: true,
    summary:
      'Reports a key that was found in public. A real key is revoked; the answer never says whether it was real.',
    body: closed({ key: stringInput('must be the whole key as text').describe('The key as it was found.') }),
    output: z.object({ status: z.literal('received') }),
    success: 202,
  },
});
