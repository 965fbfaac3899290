import { z } from 'zod';
import { publicText } from '../fields.js';
import { closed, instantInput } from '../input.js';
import { defineOperations } from '../operation.js';
import { brandWrites } from '../operation-kinds.js';
import { Key, keyNameInput, scopesInput } from './keys.js';
import { MandateInput } from './mandate-input.js';

export const childKeyOperations = defineOperations('gateway', {
  key_delegate: {
    ...brandWrites('any'),
    rest: { method: 'POST', path: '/keys/children', root: 'v1' },
    ownRecord: true,
    extension: true,
    tool: {
      rank: 22,
      title: 'Make a child key',
      description:
        'Makes a key with fewer rights than this one, for another agent: a subset of its scopes, a mandate inside its own and an earlier end. Its requests, creator reads and spend count on this key too, and revoking this key ends it. A person of the brand must have set may_delegate on this key in Developers. The secret is shown once. Any valid key.',
      hints: { readOnly: false, destructive: false, idempotent: true, openWorld: false },
    },
    summary: 'Makes a child key with fewer rights than the calling key. Its secret is shown once.',
    body: closed({
      name: keyNameInput().describe('The name that people see.'),
      scopes: scopesInput().describe('A subset of the scopes of the calling key.'),
      mandate: MandateInput.optional().describe(
        'Within the mandate of the calling key. Default: none, so it only reads.',
      ),
      expires_at: instantInput().describe(
        'Not after the end of the calling key; at most 366 days ahead if that has none.',
      ),
    }),
    output: z.object({ key: Key, secret: publicText() }),
    success: 201,
    meters: ['child_key'],
    conflicts: ['too_many_keys', 'secret_gone'],
  },
});
